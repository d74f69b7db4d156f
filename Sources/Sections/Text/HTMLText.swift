/// Text made fit for HTML.
public enum HTMLText {
  /// `text` with the five characters that HTML reads escaped, and what a browser would act on
  /// unseen, controls and what turns the direction of writing around, shown as `\u{…}`.
  /// - Complexity: O(n) for n characters.
  public static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in Printable.line(text).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
