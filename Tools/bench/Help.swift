extension Bench {
  static let help = """
    usage: refold-bench [--filter NAME]... [--rounds N] [--count N] [--large] [--json | --markdown]
           refold-bench --growth [--large] [--markdown]
           refold-bench --guard [--update]
           refold-bench --list

      --filter NAME   the benchmark NAME, or all with NAME in their name; may be repeated
      --variant NAME  only the variant called NAME, without warming up: for a profile of it
      --rounds N      how often each variant is measured, in turn with the others (default 3)
      --count N       how many operations a measurement has, or how many events
                      the log that it is about (default: see --list)
      --large         up to 10,000,000 events where length matters: takes minutes longer
      --json          one JSON object a benchmark, on one line each
      --markdown      tables and lists, as Tools/bench/README.md has them
      --list          the benchmarks
      --growth        how time and memory grow with the length of a log, from 10,000 events
      --guard         counts instructions with valgrind, and compares them with Tools/bench/guard.json
      --update        writes the counts there

    examples:
      refold-bench --filter run --filter fold
      refold-bench --filter batch-1 --count 2000 --rounds 9
      refold-bench --filter fold --variant TimeMachine.state --rounds 1
    Stores are made in $TMPDIR: where that is not a disk, durability costs nothing and figures say
    nothing.
    """
}
