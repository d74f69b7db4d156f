import Refold

extension CodecError {
  /// Where an answer is not what was expected, and what was: nothing that stands in the answer, as
  /// a server may send anything back, the token that it was asked with included.
  var expectation: String {
    pointer.isRoot || isOfKey ? what : "at \(pointer): \(what)"
  }

  private var what: String {
    switch kind {
    case .notJSON(let offset): "not JSON from byte \(offset) on"
    case .wrongKind, .doesNotFit: "expected \(expected)"
    case .elementCount: "expected \(expected.isEmpty ? "as many elements" : expected)"
    case .missingKey(let key): "expected the key \"\(key)\""
    case .unknownCase: "expected an object with the name of one case as its only key"
    case .unknownKey, .duplicateKey: "a key that was not expected"
    case .refused, .notEncodable: "expected \(expected.isEmpty ? "another value" : expected)"
    }
  }

  /// Whether the pointer ends with a key that is none of ours.
  private var isOfKey: Bool {
    switch kind {
    case .unknownKey, .duplicateKey: true
    case .notJSON, .wrongKind, .doesNotFit, .elementCount, .missingKey, .unknownCase, .refused,
      .notEncodable:
      false
    }
  }
}
