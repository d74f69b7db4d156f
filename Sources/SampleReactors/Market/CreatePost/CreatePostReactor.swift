import Foundation
import Refold

/// The screen to create a post: an influencer to search for, a picture to upload, and the rest of
/// the form.
///
/// Who creates the post is for the service to know; for nobody it answers with an error that asks
/// for sign-in.
public struct CreatePostReactor: Reactor {
  /// What can be asked for.
  public enum Action: Codable, Equatable, Sendable {
    /// Find influencers by a part of the name, with or without a leading @. An empty one ends the
    /// search.
    case searchInfluencerKeyword(keyword: String)
    /// Choose who gathers the buyers.
    case selectInfluencer(influencer: Influencer)
    /// Open the image picker.
    case tapImagePicker
    /// Upload a picture, base64 in JSON. One that is being uploaded is dropped for it.
    case didSelectImage(image: Data)
    /// Say what is sold.
    case inputProductName(name: String)
    /// Say what one costs, in won; null for nothing yet.
    case inputPrice(price: Int?)
    /// Say what it is listed under.
    case selectCategory(category: GroupBuyingCategory)
    /// Say when orders are taken from. An end that is less than a day later is cleared.
    case selectStartDate(date: Date)
    /// Say when orders are taken until.
    case selectEndDate(date: Date)
    /// Create the post. Ignored unless the form is complete, and while a post is being created.
    case tapSubmit
  }

  /// What can happen.
  public enum Mutation: Codable, Equatable, Sendable {
    /// Whether a post is being created.
    case setLoading(Bool)
    /// A search, an upload or a submit failed.
    case setError(AppError)
    /// What is searched for, without a leading @.
    case setInfluencerKeyword(String)
    /// `keyword`: what was searched for. A result that comes too late is told by it.
    case setInfluencerResult(keyword: String, influencers: [Influencer])
    /// Who gathers the buyers.
    case setInfluencer(Influencer)
    /// The image picker is to be opened.
    case setOpenImagePicker
    /// Where the picture is; nil where its upload failed.
    case setImageUploadURL(URL?)
    /// Whether a picture is being uploaded.
    case setImageUploading(Bool)
    /// What is sold.
    case setProductName(String)
    /// What one costs, in won; nil for nothing yet.
    case setPrice(Int?)
    /// What it is listed under.
    case setCategory(GroupBuyingCategory)
    /// When orders are taken from.
    case setStartDate(Date)
    /// When orders are taken until; nil for not chosen any more.
    case setEndDate(Date?)
    /// The post was created.
    case setSubmitSuccess(Post)
    /// What was in flight in another run of this session is so no more. Cause 0.
    case setInterrupted
  }

  /// An empty form.
  public let initialState = State()

  private let service: any RegistrationService
  private let clock: any Clock<Duration>

  /// A screen to create a post.
  ///
  /// - Parameters:
  ///   - service: finds influencers, stores pictures, creates posts.
  ///   - clock: what the delay of a search is measured with.
  public init(
    service: any RegistrationService, clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.service = service
    self.clock = clock
  }

  /// How long nothing must be typed before a search goes to the service.
  static let searchDelay = Duration.milliseconds(300)

  /// One of each action; in their order they create a post.
  public static var exampleActions: [Action] {
    [
      .searchInfluencerKeyword(keyword: "@haru"),
      .selectInfluencer(influencer: MarketCatalogue.influencers[0]), .tapImagePicker,
      .didSelectImage(image: Data("a picture".utf8)), .inputProductName(name: "Linen apron"),
      .inputPrice(price: 24_000), .selectCategory(category: .kitchen),
      .selectStartDate(date: Date(timeIntervalSince1970: 1_780_876_800)),
      .selectEndDate(date: Date(timeIntervalSince1970: 1_781_136_000)), .tapSubmit,
    ]
  }

  /// `setInterrupted` where a submit or an upload was left unfinished, which would keep the form from
  /// being submitted for ever.
  public func recover(state: State) -> Mutation? {
    state.isLoading || state.isImageUploading ? .setInterrupted : nil
  }

  /// Decides; see each action.
  public func mutate(action: Action, state: State) -> Effect<Mutation> {
    switch action {
    case .searchInfluencerKeyword(let keyword): search(keyword, state)
    case .selectInfluencer(let influencer): .just(.setInfluencer(influencer))
    case .tapImagePicker: .just(.setOpenImagePicker)
    case .didSelectImage(let image): upload(image)
    case .inputProductName(let name): .just(.setProductName(name))
    case .inputPrice(let price): .just(.setPrice(price))
    case .selectCategory(let category): .just(.setCategory(category))
    case .selectStartDate(let date):
      // Only an end that was chosen can be too early.
      if let end = state.endDate, !State.isPeriod(from: date, to: end) {
        .of(.setStartDate(date), .setEndDate(nil))
      } else {
        .just(.setStartDate(date))
      }
    case .selectEndDate(let date): .just(.setEndDate(date))
    case .tapSubmit: submit(state)
    }
  }
}

extension CreatePostReactor {
  private enum CancelID: Hashable {
    case search
    case upload
  }

  /// The keyword is state at once; only the request waits until typing has paused. A keyword that
  /// is there already emits nothing; where its search has not come to a result, which may be
  /// because it failed or its process ended, the search begins again.
  private func search(_ text: String, _ state: State) -> Effect<Mutation> {
    let keyword = text.hasPrefix("@") ? String(text.dropFirst()) : text
    if keyword == state.influencerKeyword {
      return state.isSearchAnswered ? .empty : result(of: keyword)
    }
    guard !keyword.isEmpty else {
      return .concat(
        .cancel(id: CancelID.search),
        .of(.setInfluencerKeyword(""), .setInfluencerResult(keyword: "", influencers: [])))
    }
    return .concat(.just(.setInfluencerKeyword(keyword)), result(of: keyword))
  }

  private func result(of keyword: String) -> Effect<Mutation> {
    .callAPI { [service, clock] in
      try await clock.sleep(for: Self.searchDelay)
      let influencers = try await service.influencers(matching: keyword)
      return .setInfluencerResult(keyword: keyword, influencers: influencers)
    } onError: { error in
      .just(.setError(AppError(error)))
    }
    .cancellable(id: CancelID.search, cancelInFlight: true)
  }

  private func upload(_ image: Data) -> Effect<Mutation> {
    do throws(AppError) {
      try PostImage.checkSize(of: image)
    } catch {
      return .just(.setError(error))
    }
    return .concat(
      .just(.setImageUploading(true)),
      .callAPI { [service] in
        .setImageUploadURL(try await service.upload(image))
      } onError: { error in
        .of(.setImageUploadURL(nil), .setError(AppError(error)))
      },
      .just(.setImageUploading(false))
    )
    .cancellable(id: CancelID.upload, cancelInFlight: true)
  }

  private func submit(_ state: State) -> Effect<Mutation> {
    guard state.isSubmitEnabled, let draft = state.draft else { return .empty }
    return .concat(
      .just(.setLoading(true)),
      .callAPI { [service] in
        .setSubmitSuccess(try await service.create(draft))
      } onError: { error in
        .just(.setError(AppError(error)))
      },
      .just(.setLoading(false)))
  }
}
