import Foundation

extension URL {
  /// A URL that can be loaded: http or https, with a host. nil for anything else.
  /// The one check of an address, whoever said it: a setting, or a server.
  init?(webAddress text: String) {
    guard let url = URL(string: text, encodingInvalidCharacters: false),
      ["http", "https"].contains(url.scheme?.lowercased()), let host = url.host(), !host.isEmpty
    else { return nil }
    self = url
  }
}
