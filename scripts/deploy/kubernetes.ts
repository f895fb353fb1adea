import { join } from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { CronJob, Job } from 'kubernetes-models/batch/v1';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, PersistentVolumeClaim, Service, ServiceAccount } from 'kubernetes-models/v1';
import ts from 'typescript';

/** A resource as it is sent to Kubernetes. */
// biome-ignore lint/suspicious/noExplicitAny: Whatever its kind; that it has the shape of it is what is looked at here.
export type Resource = { apiVersion: string; kind: string; metadata: { name: string } } & Record<string, any>;

const models = {
  CronJob,
  Job,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  PodDisruptionBudget,
  ConfigMap,
  PersistentVolumeClaim,
  Service,
  ServiceAccount,
};
const root = join(import.meta.dirname, '..', '..');

/**
 * Holds resources to the schemas of Kubernetes' API, and to its types, which know no other fields.
 * @returns what is wrong with them; none: nothing
 */
export function misfits(resources: readonly Resource[]): string[] {
  const found = resources.flatMap((resource) => {
    const [, Model] = Object.entries(models).find(([kind]) => kind === resource.kind) ?? [];
    if (!Model || Model.apiVersion !== resource.apiVersion)
      return [`${resource.apiVersion} ${resource.kind} is not known`];
    try {
      new Model(resource as never).validate();
      return [];
    } catch (error) {
      return [`${resource.kind}: ${error instanceof Error ? error.message : error}`];
    }
  });
  return [...found, ...unknownFields(resources)];
}

/** What the compiler says of the resources as literals, where a field that their type has not is an error. */
function unknownFields(resources: readonly Resource[]): string[] {
  const options = { noEmit: true, strict: true, skipLibCheck: true, types: [], module: ts.ModuleKind.NodeNext };
  const path = join(import.meta.dirname, 'rendered.ts');
  const lines = resources.map(({ apiVersion, kind, ...rest }, index) => {
    const literal = JSON.stringify({ apiVersion, kind, ...rest });
    return `import { type I${kind} as I${index} } from 'kubernetes-models/${apiVersion}';\nexport const a${index}: I${index} = ${literal};`;
  });
  const host = ts.createCompilerHost({ ...options, target: ts.ScriptTarget.ES2022 });
  const usual = host.getSourceFile.bind(host);
  host.getCurrentDirectory = () => root;
  host.fileExists = (name) => name === path || ts.sys.fileExists(name);
  host.getSourceFile = (name, target, ...more) =>
    name === path ? ts.createSourceFile(name, lines.join('\n'), target) : usual(name, target, ...more);
  const program = ts.createProgram([path], { ...options, target: ts.ScriptTarget.ES2022 }, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}
