import Foundation
import Refold

// The setting that turns a sample from its embedded service to one over a network.
extension AnyReactor.Setting {
  /// `api`, where there are services over a network to turn to.
  static func api(_ remote: (any RemoteServices)?) -> [AnyReactor.Setting] {
    remote == nil
      ? []
      : [
        AnyReactor.Setting(
          Settings.apiKey,
          "where the server is, such as http://127.0.0.1:8080; without it, nothing is sent anywhere"
        )
      ]
  }
}

extension Settings {
  static let apiKey = "api"

  /// Where the server is; nil for the embedded service.
  ///
  /// - Throws: `SettingsError.invalidValue` for what is no http or https URL with a host.
  func api() throws -> URL? {
    guard let text = self[Self.apiKey] else { return nil }
    guard let url = URL(webAddress: text) else {
      throw SettingsError.invalidValue(
        text, key: Self.apiKey, expected: "a URL such as http://127.0.0.1:8080")
    }
    return url
  }

  /// What `embedded` makes, or, where the setting `api` says so, what `atAPI` makes of `remote`.
  func service<Service>(
    _ remote: (any RemoteServices)?, embedded: @autoclosure () -> Service,
    atAPI: (any RemoteServices, URL) -> Service
  ) throws -> Service {
    guard let remote, let url = try api() else { return embedded() }
    return atAPI(remote, url)
  }
}
