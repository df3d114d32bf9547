import HTTPTypes
import Hummingbird

/// Lets through what comes from the page alone.
///
/// The token is in a header that only a script of the page can set, not in a cookie, which a browser would also send to
/// other ports of this machine and for other pages.
struct AccessMiddleware<Context: RequestContext>: RouterMiddleware {
    let token: AccessToken

    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            try checkHost(request)
            // The files of the page alone have nothing of the store. A path is not looked at further: the router takes
            // several spellings for one.
            let isPage = request.method == .get && PageFiles.all[request.uri.path] != nil
            if !isPage { try checkToken(request) }
            var response = try await next(request, context)
            response.headers.append(contentsOf: Self.headers)
            return response
        } catch {
            var response = try Self.response(to: error)
            response.headers.append(contentsOf: Self.headers)
            return response
        }
    }

    /// Throws for a name of a host that leads here by another's name server, and for a request that another page makes.
    private func checkHost(_ request: Request) throws {
        let authority = request.head.authority ?? ""
        var host = Substring(authority)
        if let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") { host = host[..<colon] }
        guard ["127.0.0.1", "localhost", "[::1]"].contains(host.lowercased()) else {
            throw PageFailure(
                .misdirectedRequest,
                "host",
                "The host must be 127.0.0.1 or localhost; got another name."
            )
        }
        if let origin = request.headers[.origin], origin != "http://\(authority)" {
            throw PageFailure(.forbidden, "origin", "The request must come from the page itself.")
        }
    }

    private func checkToken(_ request: Request) throws {
        guard let header = request.headers[.authorization], header.hasPrefix("Bearer ") else {
            throw PageFailure(
                .unauthorized,
                "token",
                "The token must be given; it is in the address that dbclient browse printed."
            )
        }
        guard token.matches(header.dropFirst("Bearer ".count)) else {
            throw PageFailure(
                .forbidden,
                "token",
                "The token must be that of this run of dbclient browse; it is another."
            )
        }
    }

    private static func response(to error: any Error) throws -> Response {
        if let error = error as? any HTTPResponseError {
            return try Response(
                json: PageFailure(error.status, "http", error.status.reasonPhrase),
                status: error.status
            )
        }
        let failure = PageFailure(error)
        return try Response(json: failure, status: failure.status)
    }

    /// No script, style or picture but those of the page, no other page around it, nothing kept or told elsewhere.
    private static var headers: HTTPFields {
        var headers = HTTPFields()
        headers[.contentSecurityPolicy] =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        headers[.xContentTypeOptions] = "nosniff"
        headers[.cacheControl] = "no-store"
        for (name, value) in [
            ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
        ] {
            if let field = HTTPField.Name(name) { headers[field] = value }
        }
        return headers
    }
}
