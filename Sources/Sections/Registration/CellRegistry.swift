/// The renderers of a screen, by token.
///
///     var cells = CellRegistry()
///     cells.register(Cells.post) { Cell(id: $0.id, title: $0.title) }
///     let cell = try cells.dequeue(Cells.post, for: post)
///
/// Two tokens of one identifier and different types are different tokens.
public struct CellRegistry: Sendable {
  private struct Key: Hashable {
    let identifier: String
    let model: ObjectIdentifier

    init<Model>(_ token: CellToken<Model>) {
      identifier = token.identifier
      model = ObjectIdentifier(Model.self)
    }
  }

  private struct Entry: Sendable {
    let name: String
    let renderer: any Sendable
  }

  private struct Renderer<Model>: Sendable {
    let render: @Sendable (Model) -> Cell
  }

  private var entries: [Key: Entry] = [:]

  /// A registry of nothing.
  public init() {}

  /// Has what `token` stands for drawn by `render`, from now on: an earlier renderer is replaced.
  public mutating func register<Model>(
    _ token: CellToken<Model>, _ render: @escaping @Sendable (Model) -> Cell
  ) {
    entries[Key(token)] = Entry(name: token.name, renderer: Renderer(render: render))
  }

  /// The cell that the renderer of `token` makes of `model`.
  ///
  /// - Throws: `SectionsError.notRegistered`, which names the token.
  public func dequeue<Model>(_ token: CellToken<Model>, for model: Model) throws -> Cell {
    // The type is part of the key, so the cast fails only where there is no entry.
    guard let renderer = entries[Key(token)]?.renderer as? Renderer<Model> else {
      throw SectionsError.notRegistered(
        token: token.name, registered: entries.values.map(\.name).sorted())
    }
    return renderer.render(model)
  }
}
