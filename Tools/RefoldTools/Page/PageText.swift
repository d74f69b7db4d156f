/// Text inside an element of a page that holds data: a `script` that no browser runs.
///
/// What is written can neither end the element nor begin a comment in it, whatever it is: there is
/// no `<`. Nor a carriage return, which a browser would turn into a line feed. Both are written
/// with a tilde, as is the tilde itself; `page.js` reads them back.
enum PageText {
  /// Appends `text`, escaped, to `page`.
  /// - Complexity: O(n) in the bytes.
  static func append(_ text: some Sequence<UInt8>, to page: inout [UInt8]) {
    for byte in text {
      switch byte {
      case tilde: page.append(contentsOf: [tilde, UInt8(ascii: "0")])
      case UInt8(ascii: "<"): page.append(contentsOf: [tilde, UInt8(ascii: "1")])
      case UInt8(ascii: "\r"): page.append(contentsOf: [tilde, UInt8(ascii: "2")])
      // A browser reads it as U+FFFD, or not at all.
      case 0: page.append(contentsOf: [tilde, UInt8(ascii: "3")])
      default: page.append(byte)
      }
    }
  }

  private static let tilde = UInt8(ascii: "~")
}
