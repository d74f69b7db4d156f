import Refold

/// Which likes the service has just agreed to: news from outside any action, since a like that
/// succeeds adds nothing to its own action.
final class SettledLikes: Sendable {
  struct Like: Sendable {
    var postID: Post.ID
    var isLiked: Bool
  }

  /// nil while there is nothing to tell, so that a session which is opened later is told nothing.
  private let relay = BehaviorRelay<Like?>(nil)

  /// Tells that the service has agreed.
  func tell(_ postID: Post.ID, _ isLiked: Bool) {
    relay.accept(Like(postID: postID, isLiked: isLiked))
    relay.accept(nil)
  }

  /// What is told from now on.
  var effect: Effect<Like> { relay.effect.compactMap { $0 } }
}
