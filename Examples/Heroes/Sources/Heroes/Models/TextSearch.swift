import DBClientCore

/// A custom query: the characters that have a text in their name or real name.
///
/// It goes wherever a request goes.
struct TextSearch: FetchRequestConvertible {
    let text: String

    var request: FetchRequest<Character> {
        Character.where {
            $0.name.contains(text, ignoringCase: true)
                || $0.realName.contains(text, ignoringCase: true)
        }
        .sorted { $0.name }
    }
}
