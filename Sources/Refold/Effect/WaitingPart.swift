/// A part of an effect that has not begun, and can be cancelled by its ids all the same.
final class WaitingPart: Sendable {
  private let scope: EffectScope
  /// Stands for the time before the part begins: as long as it lasts, the ids are registered.
  private let waiting: EffectScope

  init(ids: [CancellationID], in parent: EffectScope) {
    scope = parent.child()
    waiting = scope.child()
    for id in ids {
      let registration = CancellationRegistry.Registration(id: id, scope: scope, hasBegun: false) {
        [scope] in scope.cancelBeforeBegin(id)
      }
      waiting.onCancel(parent.run.loop.cancellations.add(registration))
    }
  }

  /// Calls `body` with the scope to begin the part in; from then on the part's own `cancellable`
  /// answers for its ids.
  ///
  /// At once, unless the part is being cancelled: then it begins, or ends, behind the commit that
  /// cancels it.
  func begin(_ body: @escaping @Sendable (EffectScope) -> Void) {
    if scope.parkIfHeld({ [self] in begin(body) }) { return }
    waiting.cancel()
    body(scope)
  }
}
