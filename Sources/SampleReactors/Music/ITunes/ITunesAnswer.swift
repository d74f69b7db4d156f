/// What the iTunes Search API answers: `{"resultCount": 2, "results": [{…}, {…}]}`.
///
/// Read with forbearance, since one odd item of a shop must not empty a screen:
/// - An item is taken if it is an album or a song with an identity and a title. Other kinds (artists,
///   music videos, audiobooks, whatever comes), and what is no object, are skipped one by one.
/// - Every other field of an item may be missing, null, or of another type: it is nil then. So is a
///   price below 0, which the shop says for what it does not sell, an artwork or preview that is no
///   web address, and a date that is none.
/// - `resultCount` is not relied on, and `results` may be null. An answer without `results` is none.
///
/// Written, it has the same form.
public struct ITunesAnswer: Sendable {
  /// The albums and songs, in the shop's order.
  public var items: [MusicItem]
  /// How many results were none of these.
  public private(set) var skippedCount = 0

  /// An answer of these items.
  public init(_ items: [MusicItem]) { self.items = items }
}

extension ITunesAnswer: Codable {
  private enum CodingKeys: String, CodingKey {
    case resultCount
    case results
  }

  /// Reads the albums and songs.
  ///
  /// - Throws: `DecodingError` where `results` is missing or no array.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let results =
      try values.decodeNil(forKey: .results)
      ? [] : values.decode([Forbearing<ITunesResult>].self, forKey: .results)
    items = results.compactMap { $0.value?.item }
    skippedCount = results.count - items.count
  }

  /// Writes all of it.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(items.count, forKey: .resultCount)
    try values.encode(items.map(ITunesResult.init), forKey: .results)
  }
}

/// A value, or nil for what is none: an array of these is read to its end.
private struct Forbearing<Value: Decodable>: Decodable {
  let value: Value?

  init(from decoder: any Decoder) { value = try? Value(from: decoder) }
}
