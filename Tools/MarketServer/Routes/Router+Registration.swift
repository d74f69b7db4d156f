import Foundation
import SampleReactors

extension Router {
  /// What creating a post needs.
  static let registration = [
    Route("GET", "/influencers") { call in
      _ = try call.account()
      return try .json(
        call.backend.influencers(matching: call.request.queryValue("keyword") ?? ""))
    },
    Route("POST", "/images", needsBody: true) { call in
      let id = try call.backend.storeImage(Data(call.request.body), by: try call.account())
      return try .json(MarketWire.Image(id: id), status: 201)
    },
    // An image's place is handed to whoever shows it, who knows no key.
    Route("GET", "/images/{id}", needsKey: false) { call in
      let image = try call.backend.image(call.place("id"))
      return Answer(status: 200, type: "application/octet-stream", body: Array(image))
    },
    Route("POST", "/posts", needsBody: true) { call in
      let account = try call.account()
      let post = try call.backend.create(try call.body(PostDraft.self), by: account)
      return try .json(post, status: 201)
    },
  ]
}
