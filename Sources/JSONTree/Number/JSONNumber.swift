/// A number of JSON, kept as the digits that stood in the text.
///
/// Numbers are equal if their values are, however they are written: `1`, `1.0` and `10e-1`; -0 is
/// 0. No Double is involved, so that `1.000000000000000005` is not 1.
public struct JSONNumber: Sendable {
  /// The number as it was written.
  public let text: String

  /// A number of this text, or nil where it is no JSON number: `01`, `.5`, `NaN`.
  /// - Complexity: O(n) in its bytes.
  public init?(_ text: String) {
    var text = text
    let isNumber = text.withUTF8 { bytes in
      var scanner = JSONScanner(UnsafeRawBufferPointer(bytes))
      do throws(JSONError) {
        _ = try scanner.skipNumber()
        return scanner.isAtEnd
      } catch {
        return false
      }
    }
    guard isNumber else { return nil }
    self.text = text
  }

  /// A number of a text that a parse has proved.
  init(proved text: String) { self.text = text }

  /// An integer in digits.
  public init(_ value: some BinaryInteger) { text = String(value) }

  /// The shortest digits that give `value` back, or nil for what JSON cannot write: infinities and
  /// NaN. An integral value has no point: `2`, `-0`.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    let digits = value.description
    text = digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits
  }
}

extension JSONNumber {
  /// The value as an Int64, where it is an integer that fits: `1.0` and `1e3` are integers.
  public var int64: Int64? { withBytes { JSONNumeral.int64($0, integral: false) } }

  /// The value as a UInt64, where it is an integer that fits. -0 is 0.
  public var uint64: UInt64? {
    guard let (isNegative, magnitude) = withBytes({ JSONNumeral.integer($0, integral: false) })
    else { return nil }
    return isNegative && magnitude > 0 ? nil : magnitude
  }

  /// The value as an Int, where it is an integer that fits.
  public var int: Int? { int64.flatMap(Int.init(exactly:)) }

  /// The Double nearest to the value, or nil where that is infinite.
  public var double: Double? { withBytes(JSONNumeral.double) }

  /// Whether the value has no fraction, whatever its size.
  public var isInteger: Bool { form.isInteger }

  /// The one text of this value, by which equal numbers are equal bytes: `10.50e1` is `105`. Plain
  /// digits where they are few, else digits and an exponent: `15e400000000`.
  /// - Complexity: O(n) in the digits.
  public var canonicalText: String {
    isPlainInteger ? text : String(decoding: form.canonicalText, as: UTF8.self)
  }

  /// Whether the text is that of an integer, short enough to be canonical as it stands.
  private var isPlainInteger: Bool {
    let digits = text.utf8
    return digits.count <= 20 && digits.allSatisfy { $0 &- 0x30 < 10 || $0 == UInt8(ascii: "-") }
      && text != "-0"
  }

  package var form: DecimalForm { withBytes(DecimalForm.init) }

  private func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    var text = text
    return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }
}

extension JSONNumber: Hashable {
  /// Compares the values.
  /// - Complexity: O(n) in the digits.
  public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    if left.text == right.text { return true }
    return !(left.isPlainInteger && right.isPlainInteger) && left.form == right.form
  }

  /// Hashes the value.
  public func hash(into hasher: inout Hasher) { hasher.combine(form) }
}

extension JSONNumber: CustomStringConvertible {
  /// The number as it was written.
  public var description: String { text }
}
