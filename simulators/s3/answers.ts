import { type Bucket, begin, complete, md5, objectAt, put, type S3Object, uploadAt } from './buckets.ts';
import { S3Error } from './error.ts';

export interface Asked {
  bucket: Bucket;
  bucketName: string;
  key: string;
  query: URLSearchParams;
  headers: Record<string, string>;
  body: Buffer;
  /** False in a store that takes no notice of them. */
  keepsConditions: boolean;
}

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

interface Operation {
  /** As policies name it. */
  action: string;
  answer(asked: Asked): Answer;
}

/** The operation that method, address and query name. @throws S3Error where it is not spoken here */
export function operationOf(method: string, hasKey: boolean, query: URLSearchParams): Operation {
  const what = [
    method,
    ...(hasKey ? ['key'] : []),
    ...['uploads', 'uploadId', 'versioning', 'delete'].filter((name) => query.has(name)),
  ];
  const found = operations[what.join(' ')];
  if (!found) throw new S3Error(501, 'NotImplemented');
  return found;
}

const operations: Record<string, Operation> = {
  HEAD: { action: 's3:ListBucket', answer: () => ({ status: 200 }) },
  GET: { action: 's3:ListBucket', answer: listObjects },
  'GET uploads': { action: 's3:ListBucketMultipartUploads', answer: listUploads },
  'POST delete': { action: 's3:DeleteObject', answer: deleteObjects },
  'PUT versioning': { action: 's3:PutBucketVersioning', answer: setVersioning },
  'PUT key': { action: 's3:PutObject', answer: putObject },
  'GET key': { action: 's3:GetObject', answer: getObject },
  'HEAD key': { action: 's3:GetObject', answer: getObject },
  'DELETE key': { action: 's3:DeleteObject', answer: deleteObject },
  'POST key uploads': { action: 's3:PutObject', answer: beginUpload },
  'PUT key uploadId': { action: 's3:PutObject', answer: putPart },
  'POST key uploadId': { action: 's3:PutObject', answer: completeUpload },
  'DELETE key uploadId': { action: 's3:AbortMultipartUpload', answer: abortUpload },
};

function listObjects({ bucket, bucketName, query }: Asked): Answer {
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const most = Number(query.get('max-keys') ?? 1000);
  const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
  // What has the delimiter behind the prefix is told once, as a folder.
  const entryOf = (key: string) => {
    const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    return end === -1 ? key : key.slice(0, end + delimiter.length);
  };
  const all = [...new Set([...bucket.objects.keys()].filter((key) => key.startsWith(prefix)).map(entryOf))];
  const left = all.filter((entry) => entry > after).toSorted((one, other) => (one < other ? -1 : 1));
  const page = left.slice(0, most);
  const isCut = left.length > page.length;
  const contents = page.map((entry) => {
    const object = bucket.objects.get(entry);
    if (!object) return element('CommonPrefixes', [element('Prefix', entry)]);
    return element('Contents', [
      element('Key', entry),
      element('LastModified', object.written.toISOString()),
      element('ETag', object.etag),
      element('Size', object.content.length),
    ]);
  });
  return xml('ListBucketResult', [
    element('Name', bucketName),
    element('Prefix', prefix),
    element('KeyCount', page.length),
    element('MaxKeys', most),
    element('IsTruncated', isCut),
    ...(isCut ? [element('NextContinuationToken', page.at(-1) ?? '')] : []),
    ...contents,
  ]);
}

function listUploads({ bucket, bucketName, query }: Asked): Answer {
  const prefix = query.get('prefix') ?? '';
  const found = [...bucket.uploads].filter(([, { key }]) => key.startsWith(prefix));
  return xml('ListMultipartUploadsResult', [
    element('Bucket', bucketName),
    element('IsTruncated', false),
    ...found.map(([id, { key, begun }]) =>
      element('Upload', [element('Key', key), element('UploadId', id), element('Initiated', begun.toISOString())]),
    ),
  ]);
}

function setVersioning({ bucket, body }: Asked): Answer {
  bucket.versioning = /<Status>(\w+)<\/Status>/.exec(String(body))?.[1] ?? null;
  return { status: 200 };
}

function putObject({ bucket, key, headers, body, keepsConditions }: Asked): Answer {
  const object = put(bucket, key, body, keptHeaders(headers), isConditional(headers, keepsConditions));
  const versions = { Enabled: `v${Date.now()}`, Suspended: 'null' }[bucket.versioning ?? ''];
  return { status: 200, headers: { etag: object.etag, ...(versions && { 'x-amz-version-id': versions }) } };
}

function getObject({ bucket, key, headers }: Asked): Answer {
  const object = objectAt(bucket, key, headers['if-match']);
  const { content } = object;
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
  if (first === undefined) return { status: 200, headers: headersOf(object), body: content };
  const start = Number(first);
  const end = last ? Math.min(Number(last), content.length - 1) : content.length - 1;
  if (start > end) throw new S3Error(416, 'InvalidRange');
  const range = { 'content-range': `bytes ${start}-${end}/${content.length}` };
  return { status: 206, headers: { ...headersOf(object), ...range }, body: content.subarray(start, end + 1) };
}

function deleteObject({ bucket, key }: Asked): Answer {
  bucket.objects.delete(key);
  return { status: 204 };
}

function deleteObjects({ bucket, body }: Asked): Answer {
  const keys = [...String(body).matchAll(/<Key>(.*?)<\/Key>/gs)].map(([, key = '']) => unescaped(key));
  for (const key of keys) bucket.objects.delete(key);
  return xml(
    'DeleteResult',
    keys.map((key) => element('Deleted', [element('Key', key)])),
  );
}

function beginUpload({ bucket, bucketName, key, headers }: Asked): Answer {
  const id = begin(bucket, key, keptHeaders(headers));
  const names = [element('Bucket', bucketName), element('Key', key), element('UploadId', id)];
  return xml('InitiateMultipartUploadResult', names);
}

function putPart({ bucket, key, query, body }: Asked): Answer {
  uploadAt(bucket, key, query.get('uploadId') ?? '').parts.set(Number(query.get('partNumber')), body);
  return { status: 200, headers: { etag: `"${md5(body)}"` } };
}

function completeUpload({ bucket, bucketName, key, query, headers, body, keepsConditions }: Asked): Answer {
  const named = [...String(body).matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
    number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
    etag: (/<ETag>(.*?)</.exec(part)?.[1] ?? '').replaceAll('&quot;', '"'),
  }));
  const isNew = isConditional(headers, keepsConditions);
  const { etag } = complete(bucket, { key, id: query.get('uploadId') ?? '', named, isNew });
  return xml('CompleteMultipartUploadResult', [
    element('Bucket', bucketName),
    element('Key', key),
    element('ETag', etag),
  ]);
}

function abortUpload({ bucket, key, query }: Asked): Answer {
  const id = query.get('uploadId') ?? '';
  uploadAt(bucket, key, id);
  bucket.uploads.delete(id);
  return { status: 204 };
}

function isConditional(headers: Record<string, string>, keepsConditions: boolean): boolean {
  return keepsConditions && headers['if-none-match'] === '*';
}

const kept = /^x-amz-(meta-|server-side-encryption)/;

function keptHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => kept.test(name)));
}

function headersOf({ etag, written, headers }: S3Object): Record<string, string> {
  return { ...headers, etag, 'last-modified': written.toUTCString(), 'accept-ranges': 'bytes' };
}

/** An error as the protocol writes it. */
export function errorAnswer({ status, code, more, headers }: S3Error): Answer {
  const said = Object.entries({ Code: code, Message: code, ...more }).map(([name, value]) => element(name, value));
  return { ...xml('Error', said), status, headers: { 'content-type': 'application/xml', ...headers } };
}

function xml(root: string, children: string[]): Answer {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, children)}`;
  return { status: 200, headers: { 'content-type': 'application/xml' }, body };
}

function element(name: string, content: string | number | boolean | string[]): string {
  const inner = Array.isArray(content) ? content.join('') : escaped(String(content));
  return `<${name}>${inner}</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
