// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;
