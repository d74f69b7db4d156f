import JSONTree

extension DecodingText {
  func isNull(_ node: Int) -> Bool { index.nodes[node].kind == .null }

  func bool(at node: Int) throws -> Bool {
    switch index.nodes[node].kind {
    case .true: true
    case .false: false
    case .null, .number, .string, .array, .object:
      throw mismatch(Bool.self, at: node, expected: "true or false")
    }
  }

  func string(at node: Int) throws -> String {
    guard index.nodes[node].kind == .string else {
      throw mismatch(String.self, at: node, expected: "a string")
    }
    return index.string(at: node, in: bytes)
  }

  /// The text of the number at `node`.
  func number(at node: Int, for type: Any.Type, expected: String) throws -> UnsafeRawBufferPointer {
    let found = index.nodes[node]
    guard found.kind == .number else { throw mismatch(type, at: node, expected: expected) }
    return UnsafeRawBufferPointer(rebasing: bytes[found.range])
  }

  @inline(__always)
  func integer<Integer: FixedWidthInteger>(at node: Int) throws -> Integer {
    let found = index.nodes[node]
    if found.kind == .number {
      let text = UnsafeRawBufferPointer(rebasing: bytes[found.range])
      let number = JSONNumeral.integer(text, integral: found.isIntegral)
      if let (isNegative, magnitude) = number {
        if !isNegative, let value = Integer(exactly: magnitude) { return value }
        let negated = Int64(truncatingIfNeeded: 0 &- magnitude)
        if isNegative, negated <= 0, let value = Integer(exactly: negated) { return value }
      }
    }
    return try wideInteger(at: node)
  }

  /// What an integer beyond 64 bits needs, and every error.
  private func wideInteger<Integer: FixedWidthInteger>(at node: Int) throws -> Integer {
    let expected = "an integer that fits \(Integer.self)"
    let form = DecimalForm(try number(at: node, for: Integer.self, expected: expected))
    guard form.isInteger, let magnitude = form.integerMagnitude(as: UInt128.self),
      let value = Self.integer(Integer.self, form.isNegative, magnitude)
    else { throw misfit(at: node, expected: form.isInteger ? expected : "an integer") }
    return value
  }

  private static func integer<Integer: FixedWidthInteger>(
    _ type: Integer.Type, _ isNegative: Bool, _ magnitude: UInt128
  ) -> Integer? {
    guard isNegative else { return Integer(exactly: magnitude) }
    guard magnitude <= Int128.min.magnitude else { return nil }
    return Integer(exactly: Int128(truncatingIfNeeded: 0 &- magnitude))
  }

  func double(at node: Int) throws -> Double {
    let expected = "a number that fits Double"
    let text = try number(at: node, for: Double.self, expected: expected)
    guard let value = JSONNumeral.double(text) else { throw misfit(at: node, expected: expected) }
    return value
  }

  func float(at node: Int) throws -> Float {
    let expected = "a number that fits Float"
    let text = try number(at: node, for: Float.self, expected: expected)
    // Not by way of Double: rounding twice can miss the nearest Float.
    guard let value = Float(String(decoding: text, as: UTF8.self)), value.isFinite else {
      throw misfit(at: node, expected: expected)
    }
    return value
  }
}
