// SPDX-License-Identifier: Apache-2.0
/** Encodings of Mesos' v1 API: protobuf, JSON, RecordIO. It knows no state of the bridge. */
@NullMarked
package org.heddle.offers.wire;

import org.jspecify.annotations.NullMarked;
