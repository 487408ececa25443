{{/* Labels of every object; pass a dict with `root` and, for a part, `part`. */}}
{{- define "stateeval.labels" -}}
app.kubernetes.io/name: stateeval
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- with .part }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{/* Labels that pods of a part are selected by. */}}
{{- define "stateeval.selector" -}}
app.kubernetes.io/name: stateeval
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "stateeval.name" -}}
{{ printf "%s-%s" .root.Release.Name .part | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* The namespace of a part: execution may have its own. */}}
{{- define "stateeval.namespace" -}}
{{- if eq .part "execution" }}{{ .root.Values.services.execution.namespace | default .root.Release.Namespace }}
{{- else }}{{ .root.Release.Namespace }}{{ end }}
{{- end }}

{{- define "stateeval.image" -}}
{{- $image := .root.Values.image -}}
{{- $name := printf "%s/%s" $image.repository .part -}}
{{- if $image.registry }}{{ $name = printf "%s/%s" $image.registry $name }}{{ end -}}
{{- with get $image.digests .part }}{{ printf "%s@%s" $name . }}
{{- else }}{{ printf "%s:%s" $name ($image.tag | default .root.Chart.AppVersion) }}{{ end }}
{{- end }}

{{/* The host name of a trial server, valid in every namespace. */}}
{{- define "stateeval.server" -}}
{{ include "stateeval.name" . }}.{{ .root.Release.Namespace }}.svc
{{- end }}

{{/* An environment variable with a server's URL; a dict with `root`, `variable`, `server` (mongodb, sessions, nats), `url`. */}}
{{- define "stateeval.url" -}}
{{- $server := get .root.Values .server -}}
- name: {{ .variable }}
{{- if $server.trial }}
  value: {{ .url }}
{{- else }}
  valueFrom:
    secretKeyRef:
      name: {{ required (printf "%s.urlSecret.name is empty: name the secret with the URL, or set %s.trial" .server .server) $server.urlSecret.name }}
      key: {{ required (printf "%s.urlSecret.key is empty: name the secret's entry with the URL" .server) $server.urlSecret.key }}
{{- end }}
{{- end }}

{{/* What a container of ours is allowed: nothing. */}}
{{- define "stateeval.restricted" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* The admin key, as an environment variable; a dict with `root` and `variable`. Nothing where access is open. */}}
{{- define "stateeval.adminKey" -}}
{{- $auth := .root.Values.auth }}
{{- if eq $auth.access "required" }}
- name: {{ .variable }}
  valueFrom:
    secretKeyRef:
      name: {{ $auth.adminKeySecret.name | default (include "stateeval.name" (dict "root" .root "part" "access")) }}
      key: {{ $auth.adminKeySecret.key | default "admin-key" }}
{{- end }}
{{- end }}

{{/* Who may call a service, as environment variables; a dict with `root` and `part`. Execution runs hostile code: it checks API keys, and never holds the admin key. */}}
{{- define "stateeval.auth" -}}
- { name: STATEEVAL_ACCESS, value: {{ .root.Values.auth.access | quote }} }
{{- if ne .part "execution" }}
{{- include "stateeval.adminKey" (dict "root" .root "variable" "STATEEVAL_ADMIN_KEY") }}
{{- end }}
{{- $names := dict "issuer" "ISSUER" "audience" "AUDIENCE" "jwksUrl" "JWKS_URL" "roleClaim" "ROLE_CLAIM" "roles" "ROLES" "projectClaim" "PROJECT_CLAIM" "project" "PROJECT" }}
{{- range $member, $value := .root.Values.auth.oidc }}
{{- if $value }}
- { name: STATEEVAL_OIDC_{{ get $names $member }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}
{{- end }}
