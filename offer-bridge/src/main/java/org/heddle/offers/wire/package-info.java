// SPDX-License-Identifier: Apache-2.0
/** The v1 API's encodings: protobuf, JSON, RecordIO. */
@NullMarked
package org.heddle.offers.wire;

import org.jspecify.annotations.NullMarked;
