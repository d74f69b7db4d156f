import Synchronization

/// Notes whether code asked for what a secret is that was read back from a log, where that is not
/// known: what it then decided says nothing about what it decided with the secret.
final class SecretReads: Sendable {
  /// That of the code that runs now.
  @TaskLocal static var current: SecretReads?

  private let flag = Atomic(false)

  var happened: Bool { flag.load(ordering: .relaxed) }

  func note() { flag.store(true, ordering: .relaxed) }
}
