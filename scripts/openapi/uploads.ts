import { uploadErrors } from '#contract/call-errors.ts';
import { errorResponses } from './responses.ts';

/** The one part that is no call: tus, whose requests and headers are those of its protocol. */
export const uploadTag = {
  name: 'Uploads',
  description:
    'Resumable uploads over tus 1.0 (creation, creation-with-upload, termination), with any client of that protocol.',
};

const about = {
  tags: [uploadTag.name],
  security: [{ apiKey: ['write'] }, { session: [] }],
  'x-scope': 'write',
  'x-access': 'admin',
  'x-idempotent': true,
  'x-errors': uploadErrors,
};

const header = (name: string, description: string, schema: object, example: unknown, required = true) => ({
  name,
  in: 'header',
  description,
  required,
  schema,
  example,
});
const version = header('Tus-Resumable', 'The version of the protocol.', { type: 'string', const: '1.0.0' }, '1.0.0');
const uploadId = {
  name: 'uploadId',
  in: 'path',
  description: 'From `Location`.',
  required: true,
  schema: { type: 'string', format: 'uuid' },
};
const offset = {
  'Upload-Offset': { description: 'How many bytes are here.', schema: { type: 'integer', minimum: 0 } },
};

export const uploadPaths = {
  '/uploads': {
    post: {
      ...about,
      operationId: 'createUpload',
      summary: 'Begins an upload.',
      description:
        'Begins an upload. `Location` is where its bytes go. A file of a name that is there becomes its next version.',
      'x-feature': 'upload',
      parameters: [
        version,
        header('Upload-Length', 'The size of the file in bytes.', { type: 'integer', minimum: 1 }, 5120),
        header(
          'Upload-Metadata',
          'Pairs of a name and its value in Base64, with commas between: `filename`; `ifExists`, `replace` (or nothing) for the next version or `keep-both` for another file; `collection`, the id of that for which it is.',
          { type: 'string' },
          'filename VHJhdmVsIHBvbGljeS5wZGY=,ifExists cmVwbGFjZQ==',
        ),
        header(
          'Idempotency-Key',
          'The same key, name and size are the same upload: it may be begun again when the answer was lost.',
          { type: 'string' },
          'travel-policy-2026',
          false,
        ),
      ],
      responses: {
        201: {
          description: 'It is begun.',
          headers: { Location: { description: 'Its path below this host.', schema: { type: 'string' } } },
        },
        ...errorResponses(uploadErrors),
      },
    },
  },
  '/uploads/{uploadId}': {
    head: {
      ...about,
      operationId: 'getUploadOffset',
      summary: 'How many bytes of an upload are here.',
      description: 'How many bytes of an upload are here, so that it goes on from there.',
      'x-feature': 'upload',
      parameters: [uploadId, version],
      responses: {
        200: { description: 'It is under way, or finished.', headers: offset },
        ...errorResponses(uploadErrors),
      },
    },
    patch: {
      ...about,
      operationId: 'writeUpload',
      summary: 'Sends bytes of an upload.',
      description:
        'Sends bytes from an offset on. The request that sends the last of them answers what became of the file.',
      'x-feature': 'upload',
      parameters: [
        uploadId,
        version,
        header('Upload-Offset', 'Where these bytes begin.', { type: 'integer', minimum: 0 }, 0),
      ],
      requestBody: {
        required: true,
        content: { 'application/offset+octet-stream': { schema: { type: 'string', format: 'binary' } } },
      },
      responses: {
        200: {
          description: 'All bytes are here: the file is a version of a document, and will be read.',
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  documentId: { type: 'string', format: 'uuid' },
                  version: { type: 'integer' },
                  name: { type: 'string' },
                  unchanged: {
                    type: 'boolean',
                    const: true,
                    description: 'The newest version of the name had this content already.',
                  },
                },
                required: ['documentId', 'version', 'name'],
              },
            },
          },
        },
        204: { description: 'More bytes are to come.', headers: offset },
        ...errorResponses(uploadErrors),
      },
    },
    delete: {
      ...about,
      operationId: 'endUpload',
      summary: 'Gives an upload up.',
      description:
        'Gives an upload up, and frees its room. One that is finished is a document, which `deleteFile` deletes.',
      'x-feature': null,
      parameters: [uploadId, version],
      responses: { 204: { description: 'It is gone.' }, ...errorResponses(uploadErrors) },
    },
  },
};
