import Dispatch
import Foundation
import MarketServer

func say(_ line: String, to file: FileHandle = .standardOutput) {
  // Whoever reads may be gone; the server goes on.
  try? file.write(contentsOf: Data((line + "\n").utf8))
}

/// Ends the process once it gets `number`, as a shell expects it: without a word.
@MainActor func endOn(_ number: Int32) -> any DispatchSourceSignal {
  signal(number, SIG_IGN)
  let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
  source.setEventHandler { exit(128 + number) }
  source.resume()
  return source
}

signal(SIGPIPE, SIG_IGN)
let ends = [SIGINT, SIGTERM].map(endOn)
do {
  let options = try ServerOptions(Array(CommandLine.arguments.dropFirst()))
  if options.wantsHelp {
    say(String(ServerOptions.help.dropLast()))
    exit(0)
  }
  if options.wantsRoutes {
    say(String(ServerOptions.routes.dropLast()))
    exit(0)
  }
  let server = try MarketServer(options) { say($0) }
  say("market-server listens at \(server.url). Ctrl-C ends it.")
  withExtendedLifetime((server, ends)) { dispatchMain() }
} catch let failure as ServerOptions.Failure {
  say("market-server: \(failure)", to: .standardError)
  exit(64)
} catch {
  say(
    "market-server: cannot listen: \(error). Choose another port with --port.", to: .standardError)
  exit(69)
}
