/// What a renderer is registered and asked for under: the type of what it draws, and an identifier.
///
///     enum Cells {
///       static let post = CellToken<Post>("post")
///     }
///
/// The type is part of the token, so that registering and dequeuing cannot disagree: a renderer of
/// another type does not compile, neither does handing it something else.
public struct CellToken<Model>: Sendable {
  /// What it is called; unique among the tokens of its type.
  public let identifier: String

  /// A token called `identifier`; by default as its type is.
  public init(_ identifier: String = "\(Model.self)") { self.identifier = identifier }

  /// `"post" for Post`.
  var name: String { "\"\(identifier)\" for \(Model.self)" }
}
