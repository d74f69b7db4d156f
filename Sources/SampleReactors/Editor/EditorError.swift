/// What an editor refuses.
public enum EditorError: Error, Equatable, Sendable {
  /// There is no such place in the text.
  case placeOutside(at: Int, length: Int)
  /// Fewer scalars follow the place than should be taken out.
  case deletionOutside(at: Int, delete: Int, length: Int)

  /// What is wrong with taking out `delete` scalars at `at` of a text of `length`; nil if nothing.
  init?(at: Int, delete: Int, length: Int) {
    if !(0...length ~= at) {
      self = .placeOutside(at: at, length: length)
    } else if !(0...length - at ~= delete) {
      self = .deletionOutside(at: at, delete: delete, length: length)
    } else {
      return nil
    }
  }
}

extension EditorError: CustomStringConvertible {
  /// What was asked for, and what would have been possible.
  public var description: String {
    switch self {
    case .placeOutside(let at, let length):
      "\(at) is no place in a text of \(length) scalars: \"at\" can be 0 to \(length)"
    case .deletionOutside(let at, let delete, let length):
      "\(delete) scalars cannot be deleted at \(at) of a text of \(length): "
        + "\"delete\" can be 0 to \(length - at) there"
    }
  }
}
