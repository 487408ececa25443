{{/* Labels of every object; pass a dict with `root` and, for a part, `part`. */}}
{{- define "stateeval.labels" -}}
app.kubernetes.io/name: {{ .root.Values.nameOverride | default "stateeval" }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- with .part }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{/* Labels that select the pods of a part. */}}
{{- define "stateeval.selector" -}}
{{ include "stateeval.release" .root }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{/* Labels that select all pods of the release. */}}
{{- define "stateeval.release" -}}
app.kubernetes.io/name: {{ .Values.nameOverride | default "stateeval" }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* What the names of objects begin with. */}}
{{- define "stateeval.prefix" -}}
{{ .Values.fullnameOverride | default .Release.Name }}
{{- end }}

{{- define "stateeval.name" -}}
{{ printf "%s-%s" (include "stateeval.prefix" .root) .part | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/*
The values of each Deployment of a service by its part, as JSON. With a GPU, execution has two: `execution-gpu` runs programs with
tensors, and `execution` the others.
*/}}
{{- define "stateeval.services" -}}
{{- $services := deepCopy .Values.services }}
{{- $execution := $services.execution }}
{{- if $execution.gpu.enabled }}
{{- $gpu := merge (deepCopy $execution.gpu) (omit (deepCopy $execution) "gpu" "image" "scaleToZero" "consumers") }}
{{- $tensorQueues := list }}
{{- $otherQueues := list }}
{{- range $execution.consumers }}
{{- if hasPrefix "execution-tensors" . }}{{ $tensorQueues = append $tensorQueues . }}{{ else }}{{ $otherQueues = append $otherQueues . }}{{ end }}
{{- end }}
{{- $services = set $services "execution-gpu" (set (set $gpu "consumers" $tensorQueues) "takes" "only") }}
{{- $services = set $services "execution" (set (set (omit $execution "gpu") "consumers" $otherQueues) "takes" "none") }}
{{- end }}
{{- toJson $services }}
{{- end }}

{{/* The service of a part: execution also of execution-gpu. */}}
{{- define "stateeval.service" -}}
{{ trimSuffix "-gpu" .part }}
{{- end }}

{{/* The namespace of a part; execution may have a separate one. */}}
{{- define "stateeval.namespace" -}}
{{- if eq (include "stateeval.service" .) "execution" }}{{ .root.Values.services.execution.namespace | default .root.Release.Namespace }}
{{- else }}{{ .root.Release.Namespace }}{{ end }}
{{- end }}

{{- define "stateeval.image" -}}
{{- $image := .root.Values.image -}}
{{- with get (.service | default dict) "image" }}{{ . }}{{ else -}}
{{- $name := printf "%s/%s" $image.repository .part -}}
{{- if $image.registry }}{{ $name = printf "%s/%s" $image.registry $name }}{{ end -}}
{{- with get $image.digests .part }}{{ printf "%s@%s" $name . }}
{{- else }}{{ printf "%s:%s" $name ($image.tag | default .root.Chart.AppVersion) }}{{ end }}
{{- end }}
{{- end }}

{{/* Annotations of a service's objects of one kind, with those of all services; a dict with `root`, `service` and `of`. */}}
{{- define "stateeval.annotations" -}}
{{- $all := get .root.Values.annotations .of }}
{{- with merge (deepCopy (get .service.annotations .of)) $all }}{{ toYaml . }}{{ end }}
{{- end }}

{{/* The settings of a service, as JSON; a dict with `root` and `service`. */}}
{{- define "stateeval.settings" -}}
{{ merge (deepCopy .service.settings) .root.Values.settings | toJson }}
{{- end }}

{{/* The host name of a trial server, valid in every namespace. */}}
{{- define "stateeval.server" -}}
{{ include "stateeval.name" . }}.{{ .root.Release.Namespace }}.svc
{{- end }}

{{/* An environment variable with a server's URL; a dict with `root`, `part`, `variable`, `server` (mongodb, sessions, nats), `url`. */}}
{{- define "stateeval.url" -}}
{{- $server := get .root.Values .server -}}
{{- $secret := get ($server.urlSecrets | default dict) (include "stateeval.service" .) | default $server.urlSecret -}}
- name: {{ .variable }}
{{- if $server.trial }}
  value: {{ .url }}
{{- else }}
  valueFrom:
    secretKeyRef:
      name: {{ required (printf "%s.urlSecret.name is empty: name the secret with the URL, or set %s.trial" .server .server) $secret.name }}
      key: {{ required (printf "%s.urlSecret.key is empty: name the secret's entry with the URL" .server) $secret.key }}
{{- end }}
{{- end }}

{{/* Certificates and credentials for servers as files below /secrets, as sources of a projected volume; a dict with `root` and `part`. */}}
{{- define "stateeval.serverFiles" -}}
{{- $values := .root.Values }}
{{- $part := include "stateeval.service" . }}
{{- $servers := list "mongodb" "nats" }}
{{- if eq $part "execution" }}{{ $servers = append $servers "sessions" }}{{ end }}
{{- range $name := $servers }}
{{- $server := get $values $name }}
{{- if and $server.trial (or $server.tls.caSecret $server.tls.certSecret) }}
{{- fail (printf "%s.tls is for a server of yours: set %s.trial to false, or name no secrets there" $name $name) }}
{{- end }}
{{- with $server.tls.caSecret }}
- secret: { name: {{ . }}, items: [{ key: ca.crt, path: {{ $name }}/ca.crt }] }
{{- end }}
{{- with $server.tls.certSecret }}
{{- if eq $name "nats" }}
- secret: { name: {{ . }}, items: [{ key: tls.crt, path: nats/tls.crt }, { key: tls.key, path: nats/tls.key }] }
{{- else }}
- secret: { name: {{ . }}, items: [{ key: tls-combined.pem, path: {{ $name }}/tls-combined.pem }] }
{{- end }}
{{- end }}
{{- end }}
{{- with $values.nats.credentials }}
{{- if has .by (list "nkey" "creds") }}
- secret: { name: {{ include "stateeval.natsSecret" $ }}, items: [{ key: {{ include "stateeval.natsUser" $ }}, path: nats/credentials }] }
{{- end }}
{{- end }}
{{- end }}

{{/* Likewise for servers and callers of a service. */}}
{{- define "stateeval.secretFiles" -}}
{{- include "stateeval.serverFiles" . }}
{{- $values := .root.Values }}
{{- with $values.tls.secret }}
- secret: { name: {{ . }}, items: [{ key: tls.crt, path: http/tls.crt }, { key: tls.key, path: http/tls.key }] }
{{- end }}
{{- with $values.tls.clientCaSecret }}
- secret: { name: {{ . }}, items: [{ key: ca.crt, path: http/client-ca.crt }] }
{{- end }}
{{- end }}

{{/* The secret with the NATS credentials of each service; a dict with `root`. */}}
{{- define "stateeval.natsSecret" -}}
{{- required "nats.credentials.secret is empty: name the secret that has an entry for each service" .root.Values.nats.credentials.secret }}
{{- end }}

{{/* The NATS user of a part, which is its entry in that secret: a backup reads as the operator. */}}
{{- define "stateeval.natsUser" -}}
{{ if eq .part "backup" }}operator{{ else }}{{ include "stateeval.service" . }}{{ end }}
{{- end }}

{{/* The credentials for NATS, as environment variables; a dict with `root` and `part`. */}}
{{- define "stateeval.natsVariables" -}}
{{- $values := .root.Values }}
{{- $by := $values.nats.credentials.by }}
{{- if eq $by "password" }}
- name: NATS_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ include "stateeval.natsSecret" . }}, key: {{ include "stateeval.natsUser" . }} } }
{{- else if eq $by "nkey" }}
- { name: NATS_NKEY_FILE, value: /secrets/nats/credentials }
{{- else if eq $by "creds" }}
- { name: NATS_CREDENTIALS_FILE, value: /secrets/nats/credentials }
{{- end }}
{{- if $values.nats.tls.caSecret }}
- { name: NATS_CA_FILE, value: /secrets/nats/ca.crt }
{{- end }}
{{- if $values.nats.tls.certSecret }}
- { name: NATS_CERT_FILE, value: /secrets/nats/tls.crt }
- { name: NATS_KEY_FILE, value: /secrets/nats/tls.key }
{{- end }}
{{- end }}

{{/* The connections and addresses of a service, as environment variables; a dict with `root` and `part`. */}}
{{- define "stateeval.connections" -}}
{{- include "stateeval.natsVariables" . }}
{{- $values := .root.Values }}
{{- if $values.tls.secret }}
- { name: STATEEVAL_TLS_CERT_FILE, value: /secrets/http/tls.crt }
- { name: STATEEVAL_TLS_KEY_FILE, value: /secrets/http/tls.key }
{{- end }}
{{- if $values.tls.clientCaSecret }}
{{- if not $values.tls.secret }}{{ fail "tls.clientCaSecret needs tls.secret: callers show certificates over HTTPS only" }}{{ end }}
- { name: STATEEVAL_TLS_CLIENT_CA_FILE, value: /secrets/http/client-ca.crt }
{{- end }}
{{- with $values.trustedProxies }}
- { name: STATEEVAL_TRUSTED_PROXIES, value: {{ join "," . | quote }} }
{{- end }}
{{- end }}

{{/* Whether an autoscaler sets the number of replicas, as text, empty for no; a dict with `root` and the values of a `service`. */}}
{{- define "stateeval.isScaled" -}}
{{- $by := .root.Values.autoscaling.by }}
{{- $mayGrow := gt (int .service.maxReplicas) (int .service.replicas) }}
{{- if and $mayGrow (or (eq $by "cpu") (and (eq $by "keda") .service.consumers)) }}true{{ end }}
{{- end }}

{{/* HTTPS or HTTP, in the form of probes. */}}
{{- define "stateeval.scheme" -}}
{{ if .Values.tls.secret }}HTTPS{{ else }}HTTP{{ end }}
{{- end }}

{{/* The security context of containers, without any privileges. */}}
{{- define "stateeval.restricted" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* The admin key, as an environment variable; a dict with `root` and `variable`. Empty if access is open. */}}
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

{{/* The access settings of a service, as environment variables; a dict with `root` and `part`. Execution runs hostile code, so it checks API keys but never has the admin key. */}}
{{- define "stateeval.auth" -}}
- { name: STATEEVAL_ACCESS, value: {{ .root.Values.auth.access | quote }} }
{{- if ne (include "stateeval.service" .) "execution" }}
{{- include "stateeval.adminKey" (dict "root" .root "variable" "STATEEVAL_ADMIN_KEY") }}
{{- end }}
{{- $names := dict "issuer" "ISSUER" "audience" "AUDIENCE" "jwksUrl" "JWKS_URL" "roleClaim" "ROLE_CLAIM" "roles" "ROLES" "projectClaim" "PROJECT_CLAIM" "project" "PROJECT" }}
{{- range $member, $value := .root.Values.auth.oidc }}
{{- if $value }}
- { name: STATEEVAL_OIDC_{{ get $names $member }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}
{{- end }}

{{/* The egress rule to a server; a dict with `root` and, as `part`, mongodb, sessions or nats. */}}
{{- define "stateeval.serverEgress" -}}
{{- $server := get .root.Values .part -}}
- ports: [{ port: {{ if not $server.trial }}{{ $server.port }}{{ else if eq .part "nats" }}4222{{ else }}27017{{ end }}, protocol: TCP }]
{{- if $server.trial }}
  to:
    - namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: {{ .root.Release.Namespace }} } }
      podSelector:
        matchLabels: {{- include "stateeval.selector" . | nindent 10 }}
{{- else if $server.peers }}
  to: {{- toYaml $server.peers | nindent 4 }}
{{- end }}
{{- end }}
