/** A problem in the words of both languages. */
export interface Words {
  readonly zh: string;
  readonly en: string;
}

/** Messages for problems of uploaded files and their content; `problem-words.ts` has the others. */
export const FILE_WORDS = {
  emptyFile: { zh: '是空文件', en: 'is an empty file' },
  encryptedOrOldWorkbook: {
    zh: '是旧版 Excel 工作簿（.xls）或加密的工作簿，请另存为 XLSX 或 CSV 后再上传',
    en: 'is an old Excel workbook (.xls), or an encrypted one: save it as XLSX or CSV',
  },
  oldWorkbook: {
    zh: '是旧版 Excel 工作簿（.xls），请另存为 XLSX 或 CSV 后再上传',
    en: 'is an old Excel workbook (.xls), or an encrypted one: save it as XLSX or CSV',
  },
  pdfFile: { zh: '是PDF 文件，请另存为 XLSX 或 CSV 后再上传', en: 'is a PDF file: save it as XLSX or CSV' },
  pngFile: { zh: '是PNG 图片，请另存为 XLSX 或 CSV 后再上传', en: 'is a PNG picture: save it as XLSX or CSV' },
  jpegFile: { zh: '是JPEG 图片，请另存为 XLSX 或 CSV 后再上传', en: 'is a JPEG picture: save it as XLSX or CSV' },
  rarFile: { zh: '是RAR 压缩包，请另存为 XLSX 或 CSV 后再上传', en: 'is a RAR archive: save it as XLSX or CSV' },
  sevenZipFile: { zh: '是7z 压缩包，请另存为 XLSX 或 CSV 后再上传', en: 'is a 7z archive: save it as XLSX or CSV' },
  gzipFile: { zh: '是gzip 压缩包，请另存为 XLSX 或 CSV 后再上传', en: 'is a gzip archive: save it as XLSX or CSV' },
  rtfFile: { zh: '是RTF 文档，请另存为 XLSX 或 CSV 后再上传', en: 'is an RTF document: save it as XLSX or CSV' },
  xmlSpreadsheet: {
    zh: '是XML 表格（.xls），请另存为 XLSX 或 CSV 后再上传',
    en: 'is a spreadsheet in XML: save it as XLSX or CSV',
  },
  webPage: {
    zh: '是网页表格（HTML，常见于扩展名为 .xls 的文件），请另存为 XLSX 或 CSV 后再上传',
    en: 'is a web page (HTML), as some programs write .xls files: save it as XLSX or CSV',
  },
  webArchive: {
    zh: '是网页存档（MHTML，常见于扩展名为 .xls 的文件），请另存为 XLSX 或 CSV 后再上传',
    en: 'is a web page (HTML), as some programs write .xls files: save it as XLSX or CSV',
  },
  unknownEncoding: {
    zh: '文件编码无法识别，请另存为 UTF-8 或 GB18030 编码',
    en: 'is in an encoding that is not known: save it as UTF-8 or GB18030',
  },
  noContacts: { zh: '是黑名单，不能加入活动', en: 'is a list of numbers that nobody calls' },
  noObjectStore: {
    zh: '不是可以取用的对象存储：桶须在 imports.buckets 中',
    en: 'names no object store to fetch from: its bucket must be in imports.buckets',
  },
  noOutsideUrl: {
    zh: '必须是公网的 https:// 地址，不含账号密码',
    en: 'must be an https:// address of the public internet, without credentials',
  },
  answeredWith: { zh: '没有给出文件，应答为 {status}', en: 'brought no file: it answered {status}' },
  noCsvLine: { zh: '第 {line} 行不符合 CSV 格式', en: 'is no CSV on line {line}' },
  openQuote: { zh: '第 {line} 行开始的引号没有闭合', en: 'has a quote on line {line} that nothing closes' },
  tooManyBlankRows: {
    zh: '空行过多，文件最多 {max} 行（含空行）',
    en: 'has too many blank rows: at most {max} rows, blank ones included',
  },
  tooManyRows: { zh: '最多 {max} 行数据', en: 'must have at most {max} rows' },
  tooManyColumns: { zh: '最多 {max} 列', en: 'must have at most {max} columns' },
  onlyHeader: { zh: '只有表头，没有数据行', en: 'has a header and no rows' },
  noSuchRow: { zh: '第 {row} 行不存在，或是空行', en: 'names the row {row}, which is blank or not there' },
  longColumnName: {
    zh: '列名「{name}…」过长，最多 {max} 个字符',
    en: 'has a column whose name is longer than {max} characters: {name}…',
  },
  repeatedColumn: { zh: '列名「{name}」重复', en: 'has the column {name} twice' },
  columnOutsideHeader: { zh: '指定的列「{name}」不在表头中', en: 'names a column that the header lacks: {name}' },
  columnOutsideFile: { zh: '文件中没有列「{name}」', en: 'names a column that the file lacks: {name}' },
  noNumberColumn: {
    zh: '表头中没有号码列，列名应为：手机号、电话、号码、phone、phoneNumber 或 mobile，或用 mapping 指定；文件中有{columns}',
    en: 'has no column of numbers: name it phoneNumber, phone or mobile, or give mapping',
  },
  unsureNumberColumn: {
    zh: '没有表头，也不能确定哪一列是号码，请用 mapping 指定；文件中有{columns}',
    en: 'has no header, and several columns or none of numbers: give mapping',
  },
  damagedWorkbook: { zh: '工作簿已损坏，请用表格软件另存后再上传', en: 'is a damaged workbook: save it again in a spreadsheet program' },
  unreadableWorkbook: {
    zh: '工作簿已损坏或被加密，请用表格软件另存后再上传',
    en: 'is a damaged or encrypted workbook: save it again in a spreadsheet program',
  },
  hugeWorkbook: { zh: '工作簿过大或已损坏，请另存为 CSV 后导入', en: 'is a workbook that is too large or damaged: save it as CSV' },
  noWorkbook: {
    zh: '不是 Excel 工作簿（.xlsx），请上传 CSV、TSV 或 XLSX',
    en: 'is no Excel workbook (.xlsx): send CSV, TSV or XLSX',
  },
  noSuchSheet: { zh: '工作簿中没有名为「{sheet}」的工作表', en: 'has no sheet called {sheet}' },
  workbookParts: { zh: '工作簿内的文件过多', en: 'is a workbook of too many files' },
  workbookUnpacked: { zh: '工作簿解压后过大', en: 'is a workbook that is too large when unpacked' },
  workbookRows: {
    zh: '各工作表的行数过多，共最多 {max} 行（含空行）',
    en: 'has too many rows in all its sheets: at most {max}, blank ones included',
  },
  workbookTexts: { zh: '文本过多，最多 {max} 个', en: 'has too many texts: at most {max}' },
  sheetRows: {
    zh: '行数过多：内容到第 {last} 行，最多 {max} 行（含空行）',
    en: 'has too many rows: they end at {last}, and {max} are allowed, blank ones included',
  },
  sheetTexts: { zh: '工作表的文字过多，请拆分后导入', en: 'has too much text in a sheet: split it' },
  sheetCells: {
    zh: '单元格过多，最多 {max} 个（含其间的空格）',
    en: 'has too many cells: at most {max}, empty ones between them included',
  },
} as const satisfies Record<string, Words>;
