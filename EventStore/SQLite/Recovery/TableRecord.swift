/// A row as a page holds it: a header of types, and the values behind it
/// (sqlite.org/fileformat2.html, section 2.1).
struct TableRecord {
  /// A value of a record.
  enum Value {
    case null
    case integer(Int64)
    case real
    case text(Range<Int>)
    case blob(Range<Int>)
  }

  /// More columns than any table of a store has.
  private static let mostColumns = 16

  let bytes: PageBytes
  let values: [Value]

  /// nil where `payload` is no record that is whole: its values must fill it to the last byte.
  init?(_ payload: [UInt8]) {
    bytes = PageBytes(bytes: payload)
    guard let (length, start) = bytes.varint(0), length >= 1, length <= Int64(payload.count) else {
      return nil
    }
    let headerEnd = Int(length)
    var (place, body) = (start, headerEnd)
    var values: [Value] = []
    while place < headerEnd {
      guard values.count < Self.mostColumns, let (type, next) = bytes.varint(place),
        next <= headerEnd, let (value, end) = Self.value(type, at: body, in: bytes)
      else { return nil }
      values.append(value)
      (place, body) = (next, end)
    }
    guard place == headerEnd, body == payload.count else { return nil }
    self.values = values
  }

  private static func value(
    _ type: Int64, at offset: Int, in bytes: PageBytes
  ) -> (Value, end: Int)? {
    switch type {
    case 0: return (.null, offset)
    case 1...6:
      let size = [1, 2, 3, 4, 6, 8][Int(type) - 1]
      return bytes.signed(offset, size: size).map { (.integer($0), offset + size) }
    case 7: return offset <= bytes.count - 8 ? (.real, offset + 8) : nil
    case 8, 9: return (.integer(type - 8), offset)
    case 12...:
      let size = (type - 12) / 2
      guard size <= Int64(bytes.count - offset) else { return nil }
      let range = offset..<offset + Int(size)
      return (type.isMultiple(of: 2) ? .blob(range) : .text(range), range.upperBound)
    default: return nil
    }
  }

  /// The number in `column`, nil where there is none.
  func integer(_ column: Int) -> Int64? {
    guard values.indices.contains(column), case .integer(let number) = values[column] else {
      return nil
    }
    return number
  }

  /// Whether `column` holds nothing.
  func isNull(_ column: Int) -> Bool {
    guard values.indices.contains(column), case .null = values[column] else { return false }
    return true
  }

  /// The bytes of the text in `column`, nil where there is none.
  func text(_ column: Int) -> ArraySlice<UInt8>? {
    guard values.indices.contains(column), case .text(let range) = values[column] else {
      return nil
    }
    return bytes.bytes[range]
  }

  /// The text in `column`, nil where there is none or it is not UTF-8.
  func string(_ column: Int) -> String? {
    text(column).flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// The bytes of the blob in `column`, nil where there is none.
  func blob(_ column: Int) -> ArraySlice<UInt8>? {
    guard values.indices.contains(column), case .blob(let range) = values[column] else {
      return nil
    }
    return bytes.bytes[range]
  }
}
