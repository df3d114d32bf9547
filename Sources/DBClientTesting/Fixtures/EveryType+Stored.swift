import DBClientCore

extension EveryType {
    static let schema = Schema<EveryType>(
        name: "EveryType",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.flag, "flag"),
            .field(\.int8, "int8"),
            .field(\.int16, "int16"),
            .field(\.int32, "int32"),
            .field(\.int64, "int64"),
            .field(\.uint8, "uint8"),
            .field(\.uint16, "uint16"),
            .field(\.uint32, "uint32"),
            .field(\.uint64, "uint64"),
            .field(\.uint, "uint"),
            .field(\.float, "float"),
            .field(\.double, "double", index: .plain),
            .field(\.text, "text", index: .plain),
            .field(\.data, "data"),
            .field(\.date, "date", index: .plain),
            .field(\.uuid, "uuid", index: .plain),
            .field(\.url, "url"),
            .field(\.decimal, "decimal"),
            .field(\.mood, "mood"),
            .field(\.level, "level"),
            .field(\.tags, "tags"),
            .field(\.numbers, "numbers"),
            .field(\.scores, "scores"),
            .field(\.origin, "origin"),
            .field(\.place, "place"),
            .field(\.optionalFlag, "optionalFlag"),
            .field(\.optionalInt8, "optionalInt8"),
            .field(\.optionalInt16, "optionalInt16"),
            .field(\.optionalInt32, "optionalInt32"),
            .field(\.optionalInt64, "optionalInt64"),
            .field(\.optionalUint8, "optionalUint8"),
            .field(\.optionalUint16, "optionalUint16"),
            .field(\.optionalUint32, "optionalUint32"),
            .field(\.optionalUint64, "optionalUint64"),
            .field(\.optionalUint, "optionalUint"),
            .field(\.optionalFloat, "optionalFloat"),
            .field(\.optionalDouble, "optionalDouble"),
            .field(\.optionalText, "optionalText", index: .plain),
            .field(\.optionalData, "optionalData"),
            .field(\.optionalDate, "optionalDate"),
            .field(\.optionalUuid, "optionalUuid"),
            .field(\.optionalUrl, "optionalUrl"),
            .field(\.optionalDecimal, "optionalDecimal", index: .plain),
            .field(\.optionalMood, "optionalMood"),
            .field(\.optionalLevel, "optionalLevel"),
            .field(\.optionalTags, "optionalTags"),
            .field(\.optionalNumbers, "optionalNumbers"),
            .field(\.optionalScores, "optionalScores"),
            .field(\.optionalOrigin, "optionalOrigin"),
            .field(\.optionalPlace, "optionalPlace"),
        ]
    )

    init(row: inout RowReader) throws {
        id = try row.read()
        flag = try row.read()
        int8 = try row.read()
        int16 = try row.read()
        int32 = try row.read()
        int64 = try row.read()
        uint8 = try row.read()
        uint16 = try row.read()
        uint32 = try row.read()
        uint64 = try row.read()
        uint = try row.read()
        float = try row.read()
        double = try row.read()
        text = try row.read()
        data = try row.read()
        date = try row.read()
        uuid = try row.read()
        url = try row.read()
        decimal = try row.read()
        mood = try row.read()
        level = try row.read()
        tags = try row.read()
        numbers = try row.read()
        scores = try row.read()
        origin = try row.read()
        place = try row.read()
        optionalFlag = try row.read()
        optionalInt8 = try row.read()
        optionalInt16 = try row.read()
        optionalInt32 = try row.read()
        optionalInt64 = try row.read()
        optionalUint8 = try row.read()
        optionalUint16 = try row.read()
        optionalUint32 = try row.read()
        optionalUint64 = try row.read()
        optionalUint = try row.read()
        optionalFloat = try row.read()
        optionalDouble = try row.read()
        optionalText = try row.read()
        optionalData = try row.read()
        optionalDate = try row.read()
        optionalUuid = try row.read()
        optionalUrl = try row.read()
        optionalDecimal = try row.read()
        optionalMood = try row.read()
        optionalLevel = try row.read()
        optionalTags = try row.read()
        optionalNumbers = try row.read()
        optionalScores = try row.read()
        optionalOrigin = try row.read()
        optionalPlace = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(flag)
        try row.write(int8)
        try row.write(int16)
        try row.write(int32)
        try row.write(int64)
        try row.write(uint8)
        try row.write(uint16)
        try row.write(uint32)
        try row.write(uint64)
        try row.write(uint)
        try row.write(float)
        try row.write(double)
        try row.write(text)
        try row.write(data)
        try row.write(date)
        try row.write(uuid)
        try row.write(url)
        try row.write(decimal)
        try row.write(mood)
        try row.write(level)
        try row.write(tags)
        try row.write(numbers)
        try row.write(scores)
        try row.write(origin)
        try row.write(place)
        try row.write(optionalFlag)
        try row.write(optionalInt8)
        try row.write(optionalInt16)
        try row.write(optionalInt32)
        try row.write(optionalInt64)
        try row.write(optionalUint8)
        try row.write(optionalUint16)
        try row.write(optionalUint32)
        try row.write(optionalUint64)
        try row.write(optionalUint)
        try row.write(optionalFloat)
        try row.write(optionalDouble)
        try row.write(optionalText)
        try row.write(optionalData)
        try row.write(optionalDate)
        try row.write(optionalUuid)
        try row.write(optionalUrl)
        try row.write(optionalDecimal)
        try row.write(optionalMood)
        try row.write(optionalLevel)
        try row.write(optionalTags)
        try row.write(optionalNumbers)
        try row.write(optionalScores)
        try row.write(optionalOrigin)
        try row.write(optionalPlace)
    }
}
