import DBClientCore

@Stored
struct Hero {
    @PrimaryKey let identifier: Int
    var name: String
    var realName: String?
    var year: Int
}
