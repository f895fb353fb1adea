const { S3_GATEWAY } = process.env;
const gateway: { url: string; accessKeyId: string; secretAccessKey: string } | null =
  S3_GATEWAY === undefined ? null : JSON.parse(S3_GATEWAY);
const { url, ...credentials } = gateway ?? { url: '', accessKeyId: '', secretAccessKey: '' };

/** Whether Ceph's gateway runs beside the tests, as `npm run conformance` starts it. */
export const hasGateway = gateway !== null;
export const gatewayServer = { endpoint: url, region: 'us-east-1', credentials };
