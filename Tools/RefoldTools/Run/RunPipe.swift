import Dispatch
import EventStoreCore
import EventStoreSQLite
import Foundation
import Refold

/// The way of an action through a run: line in, decode, hand to the session, acknowledge.
///
/// Used by the command's thread alone; what sessions tell goes to the report and the emitters.
final class RunPipe<R: Reactor> {
  private let plan: RunPlan
  private let sessions: RunSessions<R>
  private let decoder: ActionDecoder<R>
  private let report: RunReport
  private let signals: SignalTrap
  private let console: Console
  private var standardSession: RunSessions<R>.Live?

  init(
    _ reactor: R, _ entry: AnyReactor, _ plan: RunPlan, _ store: SQLiteEventStore,
    _ context: Context
  ) throws {
    self.plan = plan
    console = context.console
    let signals = try SignalTrap()
    self.signals = signals
    let rejects = try plan.rejects.map { try RejectsFile($0) }
    report = RunReport(context.console, rejects: rejects) { signals.wake() }
    decoder = ActionDecoder(entry, EventCodec(secretKey: context.secretKey))
    sessions = RunSessions(reactor, entry, plan, store, context, report)
  }

  /// Reads `input` to its end, and waits for what it started.
  func run(_ input: InputFile) throws -> ExitCode {
    if !plan.isEnvelope || plan.session != nil { _ = try sessions.standard() }
    if isatty(input.descriptor) == 1 {
      console.complain(decoder.invitation(isEnvelope: plan.isEnvelope))
    }
    try read(input)
    return try finish()
  }

  private func read(_ input: InputFile) throws {
    var reader = LineReader(input.descriptor, name: input.name, wakeUp: signals.wakeUp)
    reader.overlong = { [report] in try report.reject(piece: $0) }
    var progress = Progress("lines:", on: console)
    defer { progress.end() }
    while !report.isOver, signals.signal == nil, let line = try reader.next() {
      switch line {
      case .line(let number, let bytes): try take(number, bytes)
      case .tooLong(let number):
        report.reject(
          line: number, nil, "the line is longer than \(LineReader.lineLimit >> 20) MiB")
      }
      progress.advance()
      if plan.isStrict, report.rejected > 0 { return }
    }
  }

  /// Takes one line: what is wrong with it is reported; what is wrong with the store ends the run.
  private func take(_ number: Int, _ bytes: [UInt8]) throws {
    let line = Self.content(of: bytes, isFirst: number == 1)
    if line.isEmpty { return }
    do {
      try submit(number, bytes, line)
    } catch let error as BadLine {
      report.reject(line: number, bytes, error.description)
    }
  }

  private func submit(_ number: Int, _ bytes: [UInt8], _ line: [UInt8]) throws {
    let command = try decoder.decode(line, isEnvelope: plan.isEnvelope)
    let live = try plan.isEnvelope ? sessions.session(named: command.session) : standard()
    // Most repetitions come long after the first delivery: they cost one look-up here, where the
    // session would decide them and find out when it commits.
    if let delivery = command.delivery, let reply = try live.session.replyToRepeated(delivery) {
      Self.answer(reply, number, bytes, live.emitter, report)
      return report.flush()
    }
    let payload = command.payload
    let hasRoom = live.session.submit(
      command.action, payload: payload.span.bytes, delivery: command.delivery,
      reply: reply(to: number, bytes, live.emitter))
    if !hasRoom { waitForRoom(in: live.session) }
    // Under --strict nothing behind a bad line may be taken, and a delivery may still prove bad.
    if plan.isStrict, command.delivery != nil { wait { live.session.when(.flushed, $0) } }
  }

  /// The session of lines that name none.
  private func standard() throws -> RunSessions<R>.Live {
    if let standardSession { return standardSession }
    let live = try sessions.standard()
    standardSession = live
    return live
  }

  /// Whom to tell of a line. A line that can only fail with the whole run is told of by its number,
  /// which costs nothing; else its bytes are kept, for the rejects file.
  private func reply(to number: Int, _ bytes: [UInt8], _ emitter: Emitter<R>) -> Reply {
    if !plan.isEnvelope, !plan.isSequential { return .number(number) }
    return .call { [report] in Self.answer($0, number, bytes, emitter, report) }
  }

  private static func answer(
    _ reply: Result<Receipt, any Error>, _ number: Int, _ bytes: [UInt8],
    _ emitter: Emitter<R>, _ report: RunReport
  ) {
    switch reply {
    case .success(let receipt): emitter.acknowledge(line: number, receipt)
    case .failure(SessionError.otherActionUnderSameID(let id, let seq)):
      report.reject(
        line: number, bytes, "\(SessionError.otherActionUnderSameID(id: id, seq: seq))")
    case .failure(SessionError.closed):
      report.reject(line: number, bytes, "not taken: the run ended before its turn")
    case .failure(let error): report.fail(error)
    }
  }

  /// Waits for effects, closes every session, and says how it went.
  private func finish() throws -> ExitCode {
    let isCut = signals.signal != nil || report.isOver
    if !isCut { sessions.waitForEffects(seconds: plan.drainSeconds, signals) }
    sessions.close()
    report.flush()
    if let failure = report.failure { throw failure }
    switch signals.signal {
    case SIGINT: return .interrupted
    case SIGTERM: return .terminated
    default: return report.rejected > 0 ? .badInput : .done
    }
  }

  private func waitForRoom(in session: Session<R>) {
    wait { done in
      session.when(.roomForActions, done)
      signals.whenSignalled(done)
    }
  }

  /// The line without a byte order mark, and without white space around the value.
  private static func content(of bytes: [UInt8], isFirst: Bool) -> [UInt8] {
    var content = bytes[...]
    if isFirst, content.starts(with: [0xEF, 0xBB, 0xBF]) { content = content.dropFirst(3) }
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D || $0 == 0x0A }
    content = content.drop(while: isSpace)
    while let last = content.last, isSpace(last) { content.removeLast() }
    return content.count == bytes.count ? bytes : Array(content)
  }
}

/// Blocks the calling thread until the closure that `start` is handed is called.
func wait(_ start: (@escaping @Sendable () -> Void) -> Void) {
  let done = DispatchSemaphore(value: 0)
  start { done.signal() }
  done.wait()
}
