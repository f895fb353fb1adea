{{- define "footnote.name" -}}
{{- printf "%s-footnote" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "footnote.labels" -}}
app.kubernetes.io/name: footnote
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{/* Of one kind of process: what its pods are known by. */}}
{{- define "footnote.selector" -}}
app.kubernetes.io/name: footnote
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* Whoever answers people. */}}
{{- define "footnote.answering" -}}
{{- ternary "all" "web" (eq .Values.mode "single") -}}
{{- end -}}

{{- define "footnote.account" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "footnote.name" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/*
A pod of the service: root, component, resources, drain (seconds), data (its volume at /data). With args it runs a command
of the image to its end, beside the volume of backups.
*/}}
{{- define "footnote.pod" -}}
{{- $values := .root.Values -}}
metadata:
  labels:
    {{- include "footnote.selector" . | nindent 4 }}
  annotations:
    # Other settings are taken by other pods.
    checksum/settings: {{ include (print .root.Template.BasePath "/configmap.yaml") .root | sha256sum }}
spec:
  serviceAccountName: {{ include "footnote.account" .root }}
  automountServiceAccountToken: false
  {{- with $values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if .args }}
  restartPolicy: Never
  {{- end }}
  # After the drain streams, answers and jobs have some 20 seconds.
  terminationGracePeriodSeconds: {{ add .drain 30 }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  containers:
    - name: footnote
      image: {{ printf "%s:%s" $values.image.repository (default .root.Chart.AppVersion $values.image.tag) | quote }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      {{- with .args }}
      args:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      env:
        {{- if .args }}
        - name: JOB
          valueFrom:
            fieldRef:
              fieldPath: metadata.labels['job-name']
        {{- else }}
        - name: ROLE
          value: {{ .component | quote }}
        - name: DRAIN_SECONDS
          value: {{ .drain | quote }}
        {{- end }}
      envFrom:
        - configMapRef:
            name: {{ include "footnote.name" .root }}
        {{- with $values.secretName }}
        - secretRef:
            name: {{ . }}
        {{- end }}
        {{- if .args }}
        - secretRef:
            name: {{ $values.backup.secretName }}
        {{- else }}
      ports:
        - name: http
          containerPort: 3000
      # A first start brings tables up to date.
      startupProbe:
        httpGet: {path: /healthz, port: http}
        periodSeconds: 5
        failureThreshold: 60
      livenessProbe:
        httpGet: {path: /healthz, port: http}
        periodSeconds: 10
        timeoutSeconds: 5
      readinessProbe:
        httpGet: {path: /readyz, port: http}
        periodSeconds: 3
        timeoutSeconds: 3
        failureThreshold: 1
        {{- end }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      {{- with .resources }}
      resources:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      volumeMounts:
        - name: temporary
          mountPath: /tmp
        - name: data
          mountPath: /data
        {{- if $values.ledger.claimName }}
        - name: ledger
          mountPath: /ledger
        {{- end }}
        {{- if .args }}
        - name: backups
          mountPath: /backups
        {{- end }}
  volumes:
    - name: temporary
      emptyDir:
        sizeLimit: {{ $values.room.temporary }}
    - name: data
      {{- toYaml .data | nindent 6 }}
    {{- with $values.ledger.claimName }}
    - name: ledger
      persistentVolumeClaim:
        claimName: {{ . }}
    {{- end }}
    {{- if .args }}
    - name: backups
      persistentVolumeClaim:
        claimName: {{ $values.backup.claimName }}
    {{- end }}
{{- end -}}
