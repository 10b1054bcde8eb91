<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Fortunes</title></head>
<body>
<table>
<tr><th>id</th><th>message</th></tr>
{{- range .fortunes}}
<tr><td>{{.ID}}</td><td>{{.Message}}</td></tr>
{{- end}}
</table>
</body>
</html>
