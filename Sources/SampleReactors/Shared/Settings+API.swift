import Foundation
import Refold

// The setting that turns a sample from its embedded service to one over a network.
extension AnyReactor.Setting {
  /// `api`, where there is something to reach it with.
  static func api(_ remote: (any RemoteServices)?) -> [AnyReactor.Setting] {
    let api = AnyReactor.Setting(
      Settings.apiKey, "the address of a server, such as http://127.0.0.1:8080; else embedded")
    return remote == nil ? [] : [api]
  }
}

extension Settings {
  static let apiKey = "api"

  /// Where the server is; nil where no setting says so.
  ///
  /// - Throws: `SettingsError.invalidValue` for what is no such address.
  func api() throws -> URL? {
    guard let text = self[Self.apiKey] else { return nil }
    guard let url = URL(webAddress: text), url.user() == nil, url.password() == nil,
      url.query() == nil, url.fragment() == nil, (1...65535).contains(url.port ?? 80)
    else {
      // Not the text itself where it may have a password in it.
      throw SettingsError.invalidValue(
        text.contains("@") ? "…@…" : text, key: Self.apiKey,
        expected: "http:// or https://, a host, and perhaps a port and a path; nothing else")
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
