#!/bin/sh
# Stands for your deployment.
echo "version $(date -u +%H:%M:%S) is live"
