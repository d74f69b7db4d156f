import SampleReactors

extension Router {
  /// Accounts and their tokens.
  static let auth = [
    Route("POST", "/auth/anonymous") { call in
      try .json(call.backend.signInAnonymously())
    },
    Route("POST", "/auth/login", needsBody: true) { call in
      let body = try call.body(MarketWire.SignIn.self)
      return try .json(call.backend.signIn(with: body.provider, idToken: body.idToken))
    },
    Route("POST", "/auth/refresh", needsBody: true) { call in
      try .json(call.backend.refresh(try call.body(MarketWire.Refresh.self).refresh))
    },
    Route("POST", "/auth/logout") { call in
      call.backend.signOut(try call.account())
      return .done
    },
    Route("GET", "/me") { call in
      try .json(MarketWire.Me(user: try call.account().user))
    },
    Route("DELETE", "/me") { call in
      call.backend.delete(try call.account())
      return .done
    },
  ]
}
