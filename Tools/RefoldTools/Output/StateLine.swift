import EventStoreCore
import Refold

/// The line that `refold export --at` writes.
enum StateLine {
  /// `{"session":…,"reactor":…,"seq":…,"at":…,"digest":…,"state":…}` for `fold`, with a line feed.
  static func exported<R: Reactor>(
    _ fold: Fold<R>, of info: SessionInfo, in store: any EventStore
  ) throws -> [UInt8] {
    var line = JSONLine()
    line.member("session", info.name.rawValue)
    line.member("reactor", info.reactor)
    line.member("seq", fold.seq)
    line.member("at", fold.recordedAt ?? info.createdAt)
    line.member("digest", try store.digest(of: info.id, at: fold.seq).description)
    line.member("state", json: try EventCodec().encode(fold.state))
    return line.finished()
  }
}
