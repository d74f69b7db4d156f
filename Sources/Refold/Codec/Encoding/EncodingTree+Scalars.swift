import JSONTree

extension EncodingTree {
  func encodeNull(at node: Int) throws {
    try setScalar(at: node) { $0.append("null") }
  }

  func encode(_ value: Bool, at node: Int) throws {
    try setScalar(at: node) { $0.append(value ? "true" as StaticString : "false") }
  }

  func encode(_ value: String, at node: Int) throws {
    try setScalar(at: node) { $0.append(quoted: value) }
  }

  @inline(__always)
  func encode<Integer: FixedWidthInteger>(integer value: Integer, at node: Int) throws {
    guard let magnitude = UInt64(exactly: value.magnitude) else {
      return try setScalar(at: node) { $0.append(String(value)) }
    }
    try encode(isNegative: value < 0, magnitude, at: node)
  }

  private func encode(isNegative: Bool, _ magnitude: UInt64, at node: Int) throws {
    try setScalar(at: node) { $0.append(isNegative: isNegative, magnitude) }
  }

  func encode(_ value: Double, at node: Int) throws {
    // Up to 2^53 an integral Double has the digits of the integer. Zero may have a sign.
    if value.magnitude < 0x1p53, let integer = Int64(exactly: value), integer != 0 {
      return try encode(integer: integer, at: node)
    }
    try encode(digits: value.description, isFinite: value.isFinite, value, at: node)
  }

  func encode(_ value: Float, at node: Int) throws {
    try encode(digits: value.description, isFinite: value.isFinite, value, at: node)
  }

  private func encode(digits: String, isFinite: Bool, _ value: Any, at node: Int) throws {
    if isOff(node) { return }
    guard isFinite else {
      fail(node)
      throw error(at: node, value: value, expected: "a finite number", found: digits)
    }
    let isIntegral = digits.hasSuffix(".0")
    try setScalar(at: node) { $0.append(isIntegral ? String(digits.dropLast(2)) : digits) }
  }
}
