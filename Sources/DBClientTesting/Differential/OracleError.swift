import DBClientCore

/// What the oracle throws where the library is expected to.
struct OracleError: Error {
    let code: DBClientError.Code

    init(_ code: DBClientError.Code) {
        self.code = code
    }
}
