import Hummingbird

/// The files of the page, which are a part of the program.
enum PageFiles {
    private static let script = "text/javascript; charset=utf-8"

    /// The bytes and the type of each file by its path.
    static let all: [String: (bytes: [UInt8], type: String)] = [
        "/": (PackageResources.index_html, "text/html; charset=utf-8"),
        "/icon.svg": (PackageResources.icon_svg, "image/svg+xml"),
        "/style.css": (PackageResources.style_css, "text/css; charset=utf-8"),
        "/parts.css": (PackageResources.parts_css, "text/css; charset=utf-8"),
        "/app.js": (PackageResources.app_js, script),
        "/api.js": (PackageResources.api_js, script),
        "/dom.js": (PackageResources.dom_js, script),
        "/events.js": (PackageResources.events_js, script),
        "/sidebar.js": (PackageResources.sidebar_js, script),
        "/segment.js": (PackageResources.segment_js, script),
        "/scroll.js": (PackageResources.scroll_js, script),
        "/table.js": (PackageResources.table_js, script),
        "/rows.js": (PackageResources.rows_js, script),
        "/heads.js": (PackageResources.heads_js, script),
        "/columns.js": (PackageResources.columns_js, script),
        "/row.js": (PackageResources.row_js, script),
        "/fields.js": (PackageResources.fields_js, script),
        "/plan.js": (PackageResources.plan_js, script),
        "/picture.js": (PackageResources.picture_js, script),
        "/notices.js": (PackageResources.notices_js, script),
    ]

    /// Adds a route for each file.
    static func add(to router: Router<BasicRequestContext>) {
        for (path, file) in all {
            router.get(RouterPath(path)) { _, _ in
                Response(
                    status: .ok,
                    headers: [.contentType: file.type],
                    body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes))
                )
            }
        }
    }
}
