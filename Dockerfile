# Two stages: what is needed to build stays out of what runs. Sources run as they are (Node strips the types), so the image
# holds the same files that were tested.
FROM node:26-slim AS build
WORKDIR /app
# Manifests first: dependencies are fetched again only when one of these changes.
COPY package.json package-lock.json .npmrc ./
COPY packages/protocol/package.json packages/protocol/
COPY packages/server/package.json packages/server/
COPY packages/sdk/package.json packages/sdk/
COPY packages/gate/package.json packages/gate/
COPY packages/hitl/package.json packages/hitl/
COPY packages/openintent/package.json packages/openintent/
COPY packages/adapters/package.json packages/adapters/
COPY packages/react/package.json packages/react/
COPY packages/web/package.json packages/web/
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY packages packages
RUN npm run build --workspace packages/web
RUN npm prune --omit=dev --no-audit --no-fund

FROM node:26-slim
ENV NODE_ENV=production \
    HOLDPOINT_HOST=0.0.0.0 \
    HOLDPOINT_PORT=4100 \
    HOLDPOINT_HOME=/var/lib/holdpoint
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/packages packages
# The home folder holds this server's signing keys; with SQLite, the database too.
RUN mkdir -p /var/lib/holdpoint && chown node:node /var/lib/holdpoint
USER node
VOLUME /var/lib/holdpoint
EXPOSE 4100
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.HOLDPOINT_PORT+'/readyz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
# No shell in between: SIGTERM reaches the server, which finishes what was begun.
ENTRYPOINT ["node", "--conditions=@holdpoint/source", "packages/server/src/cli/main.ts"]
CMD ["start"]
