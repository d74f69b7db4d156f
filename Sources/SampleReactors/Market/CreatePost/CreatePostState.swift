import Foundation
import Refold

extension CreatePostReactor {
  /// The form, what is under way for it, and what has to be shown once.
  public struct State: Codable, Equatable, Sendable {
    /// Whether the post is being created.
    public var isLoading = false
    /// What is searched for in the influencers' names, without a leading @; empty for no search.
    public var influencerKeyword = ""
    /// The influencers that the last search found.
    public var influencerResult: [Influencer] = []
    /// What `influencerResult` was searched for.
    public var influencerResultKeyword = ""
    /// Who gathers the buyers.
    public var selectedInfluencer: Influencer?
    /// Where the picture is.
    public var imageUploadURL: URL?
    /// Whether a picture is being uploaded.
    public var isImageUploading = false
    /// What is sold.
    public var productName = ""
    /// The price of one in won.
    public var price: Int?
    /// What it is listed under.
    public var selectedCategory: GroupBuyingCategory?
    /// When orders are taken from.
    public var startDate: Date?
    /// When orders are taken until.
    public var endDate: Date?
    /// Whether the form is complete, and neither a picture nor the post is on its way. Follows from
    /// the rest after every mutation.
    public private(set) var isSubmitEnabled = false

    /// What went wrong.
    @Pulse public var error: AppError?
    /// The post was created; this is it.
    @Pulse public var submitSuccess: Post?
    /// The image picker is to be opened.
    @Pulse public var openImagePicker = false

    /// An empty form.
    public init() {}
  }
}

extension CreatePostReactor.State {
  /// The least that orders are taken for: a day, in seconds.
  static let leastPeriod: TimeInterval = 86_400

  /// Whether orders can be taken from `start` to `end`: a day at least.
  static func isPeriod(from start: Date, to end: Date) -> Bool {
    start <= end.addingTimeInterval(-leastPeriod)
  }

  /// Whether `influencerResult` is that of the keyword.
  var isSearchAnswered: Bool { influencerResultKeyword == influencerKeyword }

  /// The post that the form describes; nil while something is missing.
  var draft: PostDraft? {
    guard let selectedInfluencer, let imageUploadURL, let selectedCategory, let startDate,
      let endDate, Self.isPeriod(from: startDate, to: endDate), let price, price > 0,
      productName.contains(where: { !$0.isWhitespace })
    else { return nil }
    return PostDraft(
      productName: productName, price: price, category: selectedCategory,
      influencerID: selectedInfluencer.id, imageURL: imageUploadURL, startDate: startDate,
      endDate: endDate)
  }

  fileprivate mutating func deriveIsSubmitEnabled() {
    isSubmitEnabled = draft != nil && !isLoading && !isImageUploading
  }
}

extension CreatePostReactor {
  /// Applies `mutation`, then derives `isSubmitEnabled`. A search's result that is not the
  /// keyword's changes nothing.
  public func reduce(state: inout State, mutation: Mutation) {
    apply(mutation, to: &state)
    state.deriveIsSubmitEnabled()
  }

  private func apply(_ mutation: Mutation, to state: inout State) {
    switch mutation {
    case .setLoading(let isLoading): state.isLoading = isLoading
    case .setError(let error): state.error = error
    case .setInfluencerKeyword(let keyword): state.influencerKeyword = keyword
    case .setInfluencerResult(let keyword, let influencers):
      guard keyword == state.influencerKeyword else { return }
      state.influencerResult = influencers
      state.influencerResultKeyword = keyword
    case .setInfluencer(let influencer): state.selectedInfluencer = influencer
    case .setOpenImagePicker: state.openImagePicker = true
    case .setImageUploadURL(let url): state.imageUploadURL = url
    case .setImageUploading(let isUploading): state.isImageUploading = isUploading
    case .setProductName(let name): state.productName = name
    case .setPrice(let price): state.price = price
    case .setCategory(let category): state.selectedCategory = category
    case .setStartDate(let date): state.startDate = date
    case .setEndDate(let date): state.endDate = date
    case .setSubmitSuccess(let post): state.submitSuccess = post
    case .setInterrupted:
      state.isLoading = false
      state.isImageUploading = false
    }
  }
}
