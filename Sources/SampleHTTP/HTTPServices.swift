import Foundation
import SampleReactors

/// The samples' services over HTTP.
public struct HTTPServices: Sendable {
  /// Services that give a request up after `timeout` seconds without a byte.
  public init(timeout: TimeInterval = 30) { self.timeout = timeout }

  private let timeout: TimeInterval
}
