import Foundation
import Refold
import SampleReactors
import Testing

@Suite("Music: the shapes of the iTunes Search API")
struct ITunesTests {
  private func answer(_ json: String) throws -> ITunesAnswer {
    try EventCodec().decode(ITunesAnswer.self, from: Array(json.utf8))
  }

  /// The items of an answer whose results are `results`.
  private func items(_ results: String...) throws -> [MusicItem] {
    try answer(#"{"resultCount":\#(results.count),"results":[\#(results.joined(separator: ","))]}"#)
      .items
  }

  private func album(_ fields: String) throws -> Album? {
    guard case .album(let album)? = try items(#"{"wrapperType":"collection",\#(fields)}"#).first
    else { return nil }
    return album
  }

  private func song(_ fields: String) throws -> Song? {
    guard
      case .song(let song)? = try items(#"{"wrapperType":"track","kind":"song",\#(fields)}"#).first
    else { return nil }
    return song
  }

  @Test func an_album_is_read_with_everything_that_it_has() throws {
    #expect(
      try items(ITunesShapes.album) == [
        .album(
          Album(
            id: 6_440_100_200, name: "Paper Boats", artist: "The Quiet Ferry",
            artworkURL: URL(string: "https://music.example/a/100x100bb.jpg"),
            price: Decimal(string: "9.99"), currency: "USD", trackCount: 11,
            releaseDate: Date(timeIntervalSince1970: 1_555_052_400), genre: "Pop"))
      ])
  }

  @Test func a_song_is_read_with_everything_that_it_has() throws {
    #expect(
      try items(ITunesShapes.song) == [
        .song(
          Song(
            id: 6_450_100_201, name: "Rain on Tin", artist: "The Quiet Ferry",
            album: "Paper Boats", artworkURL: URL(string: "https://music.example/a/100x100bb.jpg"),
            previewURL: URL(string: "https://music.example/p/1.m4a"),
            price: Decimal(string: "1.29"), currency: "USD", milliseconds: 215_733,
            releaseDate: Date(timeIntervalSince1970: 1_555_052_400), genre: "Pop"))
      ])
  }

  @Test func of_mixed_kinds_the_albums_and_songs_are_taken_in_order() throws {
    let mixed = try answer(ITunesShapes.mixed)
    #expect(mixed.items.map(\.name) == ["Rain on Tin", "Paper Boats", "Night Bus"])
    #expect(mixed.skippedCount == 5)
  }

  @Test(arguments: [
    "null", "7", #""song""#, "[]", "{}", #"{"wrapperType":"track","kind":"song"}"#,
    #"{"wrapperType":"collection","collectionType":"Album","collectionName":"No Number"}"#,
    #"{"wrapperType":"track","kind":"song","trackId":99999999999999999999,"trackName":"Too Big"}"#,
    #"{"wrapperType":"track","kind":"song","trackId":1.5,"trackName":"Half"}"#,
    #"{"wrapperType":"track","kind":"song","trackId":12,"trackName":" "}"#,
    #"{"wrapperType":"track","kind":"song","trackId":12,"trackName":null}"#,
    #"{"wrapperType":"track","kind":"podcast-episode","trackId":12,"trackName":"Talk"}"#,
    #"{"wrapperType":"collection","collectionType":"TV Season","collectionId":3,"collectionName":"x"}"#,
    #"{"trackId":12,"trackName":"Whatever"}"#,
  ])
  func an_odd_item_is_skipped_and_those_around_it_are_not(_ odd: String) throws {
    let names = try items(ITunesShapes.album, odd, ITunesShapes.song).map(\.name)
    #expect(names == ["Paper Boats", "Rain on Tin"])
  }

  @Test func a_song_without_its_name_has_its_censored_one() throws {
    #expect(try song(#""trackId":1,"trackCensoredName":"D**n Rain""#)?.name == "D**n Rain")
    #expect(
      try album(#""collectionId":1,"collectionName":null,"collectionCensoredName":"A""#)?.name
        == "A")
  }

  @Test func the_kind_alone_and_the_wrapper_alone_will_do() throws {
    #expect(try items(#"{"kind":"song","trackId":1,"trackName":"a"}"#).map(\.name) == ["a"])
    #expect(
      try items(#"{"wrapperType":"track","trackId":1,"trackName":"a"}"#).map(\.name) == ["a"])
    #expect(
      try items(#"{"collectionType":"Album","collectionId":1,"collectionName":"b"}"#).map(\.name)
        == ["b"])
  }

  @Test(arguments: [
    ("", nil), (#","trackPrice":-1"#, nil), (#","trackPrice":-1.0"#, nil),
    (#","trackPrice":null"#, nil), (#","trackPrice":"free""#, nil), (#","trackPrice":0"#, "0"),
    (#","trackPrice":0.99"#, "0.99"), (#","trackPrice":1"#, "1"),
    (#","trackPrice":9.989999771118164"#, "9.989999771118164"),
  ])
  func a_price_is_exact_and_nil_for_what_is_not_sold(field: String, price: String?) throws {
    let song = try #require(try song(#""trackId":1,"trackName":"a"\#(field)"#))
    #expect(song.price == price.flatMap { Decimal(string: $0) })
  }

  @Test func numbers_beyond_32_bits_are_kept_and_a_number_may_be_written_as_others_do() throws {
    let large = Int64.max
    #expect(try song(#""trackId":\#(large),"trackName":"a""#)?.id == large)
    #expect(try song(#""trackId":6.0,"trackName":"a""#)?.id == 6)
    #expect(try song(#""trackId":"6450100201","trackName":"a""#)?.id == 6_450_100_201)
  }

  @Test(arguments: [
    #""""#, "null", "7", #""not a url""#, #""/images/1.jpg""#, #""file:///etc/passwd""#,
    #""https://""#, #""http:///x.jpg""#,
  ])
  func an_artwork_that_cannot_be_loaded_is_none(_ artwork: String) throws {
    let album = try album(
      #""collectionId":1,"collectionName":"a","artworkUrl100":\#(artwork)"#)
    #expect(try #require(album).artworkURL == nil)
  }

  @Test func where_the_larger_artwork_cannot_be_loaded_a_smaller_one_is_taken() throws {
    let album = try album(
      #""collectionId":1,"collectionName":"a","artworkUrl100":"","artworkUrl60":"https://m.example/60""#
    )
    #expect(album?.artworkURL == URL(string: "https://m.example/60"))
  }

  @Test func a_date_that_is_none_is_left_out() throws {
    for date in [#""""#, "null", "2019", #""2019""#, #""2019-13-40T00:00:00Z""#] {
      let song = try song(#""trackId":1,"trackName":"a","releaseDate":\#(date)"#)
      #expect(try #require(song).releaseDate == nil, "\(date)")
    }
  }

  @Test func null_in_every_field_leaves_what_has_a_number_and_a_name() throws {
    #expect(try items(ITunesShapes.nullSong) == [.song(Song(id: 5, name: "Nothing Known"))])
    #expect(try items(ITunesShapes.nullAlbum) == [.album(Album(id: 6, name: "Nothing Known"))])
  }

  @Test(arguments: [
    #"{"resultCount":0,"results":[]}"#, #"{"results":[]}"#, #"{"resultCount":7,"results":null}"#,
    #"{"resultCount":"many","results":[],"more":{}}"#,
  ])
  func an_answer_may_have_no_items(_ json: String) throws {
    #expect(try answer(json).items.isEmpty)
  }

  @Test(arguments: [
    #"{"errorMessage":"Invalid value(s) for key(s): [entity]"}"#, #"{"results":{}}"#, "[]", "null",
    "",
  ])
  func what_is_no_answer_is_an_error(_ json: String) {
    #expect(throws: CodecError.self) { try answer(json) }
  }

  @Test func an_answer_comes_back_from_its_JSON() throws {
    let answer = ITunesAnswer(MusicCatalogue.items)
    let bytes = try EventCodec().encode(answer)
    #expect(try EventCodec().decode(ITunesAnswer.self, from: bytes).items == MusicCatalogue.items)
    let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    #expect(object?["resultCount"] as? Int == MusicCatalogue.items.count)
  }
}
