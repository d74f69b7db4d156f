/// The bodies that a livestream's server and its clients exchange. `POST /livestream/start` and
/// `POST /livestream/stop` have none.
public enum LivestreamWire {
  /// The answer to `GET /livestream/player`.
  public struct Player: Codable, Sendable {
    /// What the player has to load.
    public var url: String

    /// An answer.
    public init(url: String) { self.url = url }
  }

  /// `PUT /livestream/device`.
  public struct Device: Codable, Sendable {
    /// Where the stream comes from.
    public var id: String

    /// A body of this device.
    public init(id: String) { self.id = id }
  }
}
