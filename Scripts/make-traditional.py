#!/usr/bin/env python3
"""Makes the strings in Traditional Chinese from those in Simplified Chinese:

    python3 Scripts/make-traditional.py [--check]

uconv of ICU (Debian: icu-devtools) converts the characters. The table then has the words that differ in Taiwan and Hong
Kong, and what uconv gets wrong. With --check, nothing is written, and a file that differs is an error.
"""

import pathlib
import re
import subprocess
import sys

# Text as it comes from uconv = what it becomes, two spaces between entries. The longest entry that matches counts.
WORDS = """
聯繫人=聯絡人  主聯繫人=主要聯絡人  聯繫=聯絡  郵箱=電子郵件  郵箱地址=電子郵件地址  郵編=郵遞區號  郵件列表=郵寄清單
郵件頭=郵件標頭  短語=片語  單詞=單字  職務=職稱  昵稱=暱稱  備注=備註  注明=註明  周年=週年  姐妹=姊妹  尋呼機=呼叫器
粉色=粉紅色  人稱代詞=人稱代名詞  語法性別=文法性別  手機號=手機號碼  甚麼=什麼  當前=目前  啓=啟  自定義=自訂  匹配=相符  匹配條件=比對條件
根據甚麼匹配=根據什麼比對  重復=重複  一並=一併  繪制=繪製  答復=答覆  發件人=寄件者  收件人=收件者  生成=產生  獲取=取得
本地=本機  丟失=遺失  個郵箱=個電子郵件地址  OpenLDAP 的庫=OpenLDAP 程式庫
軟件=軟體  軟件包=套件  程序=程式  應用密碼=應用程式密碼  應用到=套用到  觸發器=觸發程序  客戶端=用戶端  協議=協定
文件=檔案  文件夾=資料夾  文件名=檔名  文件名稱=檔案名稱  文件描述符=檔案描述元  上級文件夾=上層資料夾
數據=資料  數據文件夾=資料目錄  元數據=中繼資料  配置=設定  配置文件=設定檔  設置=設定  設置文件=設定檔  存儲=儲存  保存=儲存  打開=開啟
搜索=搜尋  搜索框=搜尋欄  查找=尋找  查找內容=搜尋條件  默認=預設  恢復默認=還原預設  信息=資訊  消息=訊息  幫助=說明  幫助信息=說明
查看=檢視  屏幕=螢幕  重繪屏幕=重繪畫面  全屏=全螢幕  上一屏=上一個畫面  第一屏=第一個畫面  界面=介面  窗口=視窗
對話框=對話方塊  鼠標=滑鼠  光標=游標  剪貼板=剪貼簿  快捷鍵=快速鍵  回車鍵= Enter 鍵  滾動=捲動  刷新=重新整理
選中=選取  跳轉=跳至  跳轉到=跳至  跳到=跳至  轉到=前往  退出=結束  後台=背景  掛起=暫停
命令=指令  命令行=命令列  終端=終端機  終端里=終端機裡  文本=文字  文本里=文字裡  腳本=指令稿  補全=補齊
用戶=使用者  用戶名=使用者名稱  用戶名稱=使用者名稱  所有者=擁有者  服務器=伺服器  主機名=主機名稱  計算機=電腦
端口=連接埠  套接字=通訊端  管道=管線  設備=裝置  設備與會話=裝置與工作階段  「安全」=「安全性」  網絡=網路
互聯網=網際網路  無法連接=無法連線至  不會連接=不會連線至  連接未加密=連線未加密  的連接=的連線  方式連接=方式連線
響應=回應  超時=逾時  訪問=存取  發送=傳送  重定向=重新導向  登錄=登入  登錄和安全性=登入與安全性
賬戶=帳號  賬號=帳號  社交賬號=社群帳號  證書=憑證  頒發機構=簽發機構  領英=LinkedIn  博客=部落格  視頻=影片
支持=支援  導入=匯入  導出=匯出  撤銷=復原  恢復=還原  恢復正常=恢復正常  fg 恢復=fg 恢復  添加=新增  重新添加=重新加入  添加新=新增  新建=建立
創建=建立  更改=變更  替換=取代  重命名=重新命名  徹底刪除=永久刪除  回收站=資源回收筒  運行=執行  試運行=試執行
字段=欄位  列=欄  列出=列出  列表=清單  列在=列在  排列=排列  行列數=欄數和列數  標題行=標題列  條目=項目
二維碼=行動條碼  鏈接=連結  內存=記憶體  磁盤=磁碟  打印=列印  電子錶格=試算表  事務=交易  線程=執行緒  校驗和=總和檢查碼
緩存=快取  字節=位元組  字符=字元  字符串=字串  正則表達式=正規表示式  佔位符=預留位置  變量=變數  對象=物件
智能=智慧型  示例=範例  隨機種子=亂數種子  制表符=定位字元  換行符=換行字元  十六進制=十六進位  二進制=二進位
裁剪=裁切  過濾條件=篩選條件  只讀=唯讀  通過=透過  信號=訊號  崩潰=當機  擴展=擴充
"""


def traditional(text):
    words = dict(entry.split("=") for line in WORDS.strip().split("\n") for entry in line.split("  "))
    converted = subprocess.run(
        ["uconv", "-f", "utf-8", "-t", "utf-8", "-x", "Hans-Hant"], input=text.encode(), stdout=subprocess.PIPE, check=True
    ).stdout.decode()
    longest_first = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return re.sub(longest_first, lambda match: words[match[0]], converted)


def main():
    folder = pathlib.Path(__file__).resolve().parent.parent / "Resources/strings"
    different = []
    for source in sorted((folder / "zh-Hans.lproj").glob("*.strings")):
        file = folder / "zh-Hant.lproj" / source.name
        text = traditional(source.read_text(encoding="utf-8"))
        if "--check" not in sys.argv[1:]:
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
        elif not file.exists() or file.read_text(encoding="utf-8") != text:
            different.append(source.name)
    if different:
        sys.exit(f"Run Scripts/make-traditional.py: {', '.join(different)} differ")


main()
