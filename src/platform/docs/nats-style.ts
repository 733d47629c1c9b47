/** Style of the bus page, for light and dark mode, phones and print. */
export const NATS_STYLE = `:root{color-scheme:light dark;--line:#8883;--soft:#8881;--dim:light-dark(#666,#999);--link:light-dark(#0b57d0,#8ab4f8)}
body{font:15px/1.6 system-ui,sans-serif;margin:0 auto;max-width:1060px;padding:0 20px 80px}a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}
.top{padding:12px 0;border-bottom:1px solid var(--line)}.top>*{margin-right:20px}.toc{display:grid;grid-template-columns:repeat(auto-fill,minmax(24em,1fr));gap:2px 20px;margin:20px 0;padding:14px 18px;background:var(--soft);border-radius:8px}
h1{margin:24px 0 8px}h1 small{font-size:15px;color:var(--dim)}h2{margin:44px 0 10px}h3{margin:26px 0 6px;font-size:16px}
:lang(en){color:var(--dim)}code,pre{font:13px/1.5 ui-monospace,monospace}pre{background:var(--soft);padding:12px;overflow:auto;border-radius:6px;margin:8px 0}
details{border:1px solid var(--line);border-radius:6px;margin:6px 0}summary{padding:7px 12px;cursor:pointer}summary:hover{background:var(--soft)}
summary code{font-weight:600}summary>span{margin-left:10px}summary>.tag{float:right;margin:2px 0 0 6px}details>section{padding:2px 16px 14px;border-top:1px solid var(--line)}
.tag{font-size:12px;line-height:18px;padding:1px 8px;border-radius:10px;background:#8882;margin-right:6px;white-space:nowrap}
table{border-collapse:collapse;width:100%;margin:8px 0}th,td{text-align:left;padding:5px 8px;border-bottom:1px solid var(--line);vertical-align:top}th{font-weight:600;color:var(--dim)}
td p{margin:0}td>details{margin:6px 0}p{margin:8px 0}
@media(max-width:640px){summary>.tag{float:none}summary code{overflow-wrap:anywhere}.toc{display:block}.toc>a{display:block}table{display:block;overflow-x:auto}}`;
