import SampleReactors

extension Router {
  /// A music shop, in the shape of the iTunes Search API.
  static let music = [
    Route("GET", "/search", needsKey: false) { call in
      try .json(ITunesAnswer(try search(of: call).found(in: MusicCatalogue.items)))
    }
  ]

  private static let defaultLimit = 50

  private static func search(of call: Call) throws -> MusicSearch {
    guard let term = call.request.queryValue("term"), !term.isEmpty else {
      throw AppError.badRequest(reason: "term is missing: the words to be found")
    }
    let name = call.request.queryValue("entity") ?? MusicSearch.Entity.song.rawValue
    guard let entity = MusicSearch.Entity(rawValue: name) else {
      let names = MusicSearch.Entity.allCases.map(\.rawValue).joined(separator: " or ")
      throw AppError.badRequest(reason: "there is no entity \(name): it is \(names)")
    }
    let limit = try call.number("limit", otherwise: defaultLimit)
    guard MusicSearch.limits.contains(limit) else {
      let limits = MusicSearch.limits
      throw AppError.badRequest(
        reason: "limit is \(limit): it is \(limits.lowerBound) to \(limits.upperBound)")
    }
    return MusicSearch(term: term, entity: entity, limit: limit)
  }
}
