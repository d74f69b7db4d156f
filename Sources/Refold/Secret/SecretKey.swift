import EventStoreCore
import Synchronization

/// The key that secrets are digested with. Two digests are worth comparing where their key was the
/// same; whoever does not have the key cannot try values out against a digest.
public final class SecretKey: Sendable {
  private let source: @Sendable () throws -> [UInt8]
  private let loaded = Mutex<KeyedDigest?>(nil)

  /// A key whose bytes `source` gives, asked when the first secret is encoded, and again after it
  /// has thrown. 32 random bytes are right.
  public init(_ source: @escaping @Sendable () throws -> [UInt8]) { self.source = source }

  /// 32 random bytes that are forgotten when the process ends.
  public static let process: SecretKey = {
    let bytes = randomBytes()
    return SecretKey { bytes }
  }()

  /// 32 bytes from the system's generator.
  public static func randomBytes() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  func digest(of bytes: [UInt8]) throws -> Digest {
    let key = try loaded.withLock { loaded in
      if let loaded { return loaded }
      let key = KeyedDigest(key: try source())
      loaded = key
      return key
    }
    return key.digest(of: bytes)
  }
}

extension CodingUserInfoKey {
  /// The `SecretKey` of a coder.
  static let secretKey = named("refold.secretKey")
  /// The `SecretWitness` of a coder.
  static let secretWitness = named("refold.secretWitness")
  /// Present where secrets are to be written in the clear: in examples, which hold none.
  static let showsSecrets = named("refold.showsSecrets")

  private static func named(_ name: String) -> CodingUserInfoKey {
    guard let key = CodingUserInfoKey(rawValue: name) else {
      preconditionFailure("the standard library refused the key \(name)")
    }
    return key
  }
}

/// Notes whether coding met a secret in the clear.
final class SecretWitness: Sendable {
  private let flag = Atomic(false)

  var hasSeenClear: Bool { flag.load(ordering: .relaxed) }

  func sawClear() { flag.store(true, ordering: .relaxed) }

  func forget() { flag.store(false, ordering: .relaxed) }
}
