import DBClientCore
import DBClientTool
import HTTPTypes

/// A failure as the page is told of it.
struct PageFailure: Error, Encodable, Equatable {
    /// The status of the response.
    let status: HTTPResponse.Status
    /// The kind, such as `notFound`: that of an error of the store, or one of the server's own.
    let code: String
    /// What must be and what was found.
    let message: String
    var entity: String?
    var field: String?
    var hint: String?

    private enum CodingKeys: String, CodingKey {
        case code, message, entity, field, hint
    }

    init(_ status: HTTPResponse.Status, _ code: String, _ message: String) {
        (self.status, self.code, self.message) = (status, code, message)
    }

    /// Describes an error.
    init(_ error: any Error) {
        switch error {
        case let failure as PageFailure: self = failure
        case let error as DBClientError:
            self.init(Self.status(of: error.code), error.code.description, error.message)
            (entity, field, hint) = (error.entity, error.field, error.hint)
        case let error as ToolError:
            self.init(.badRequest, "invalidRequest", error.message)
            hint = error.hint
        default: self.init(.internalServerError, "internal", Failure.text(error))
        }
    }

    private static func status(of code: DBClientError.Code) -> HTTPResponse.Status {
        switch code {
        case .invalidRequest: .badRequest
        case .notFound: .notFound
        case .readOnly, .permission: .forbidden
        case .duplicateKey, .uniqueViolation, .transactionConflict, .deletionDenied: .conflict
        case .invalidValue, .constraintViolation, .danglingReference: .unprocessableContent
        case .busy, .timeout, .connectionLost, .closed: .serviceUnavailable
        case .unsupported: .notImplemented
        default: .internalServerError
        }
    }
}

extension PageFailure {
    /// A row that is no longer as the page has shown it.
    static func conflict(_ message: String) -> PageFailure {
        PageFailure(.conflict, "conflict", message)
    }
}
