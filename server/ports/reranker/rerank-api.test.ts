import { rerankerContract } from './contract.ts';
import { rerankApi } from './rerank-api.ts';

rerankerContract('The rerank API', ({ url: baseUrl }) =>
  rerankApi({ baseUrl, model: 'rank-1', apiKey: 'key-of-a-test' }),
);
