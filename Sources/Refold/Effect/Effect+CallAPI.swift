extension Effect {
  /// Gives what `request` returns, or what `onError` makes of what it throws: `task` and `catch`.
  ///
  ///     .callAPI {
  ///       .setUser(try await api.me())
  ///     } onError: { error in
  ///       .of(.setError(AppError(error)), .setLoading(false))
  ///     }
  ///
  ///     request: --a|        request: --#
  ///     callAPI: --a|        callAPI: --(ef|)
  ///
  /// A `CancellationError` is no failure: `onError` is not asked.
  public static func callAPI(
    _ request: @escaping @Sendable () async throws -> Element,
    onError: @escaping @Sendable (any Error) -> Effect
  ) -> Effect {
    task(request).catch(onError)
  }

  /// Goes on with what `onSuccess` makes of the response, or `onError` of what `request` throws.
  ///
  ///     .callAPI { try await api.page(1) } onSuccess: { page in
  ///       .of(.setPosts(page.posts), .setHasNextPage(page.hasNext))
  ///     } onError: { error in
  ///       .just(.setError(AppError(error)))
  ///     }
  ///
  /// An error of the effect that `onSuccess` answers with does not reach `onError`.
  public static func callAPI<Response: Sendable>(
    _ request: @escaping @Sendable () async throws -> Response,
    onSuccess: @escaping @Sendable (Response) -> Effect,
    onError: @escaping @Sendable (any Error) -> Effect
  ) -> Effect {
    Effect<Result<Response, any Error>>.task {
      do {
        return .success(try await request())
      } catch let error as CancellationError {
        throw error
      } catch {
        return .failure(error)
      }
    }
    .flatMap { result in
      switch result {
      case .success(let response): onSuccess(response)
      case .failure(let error): onError(error)
      }
    }
  }
}
