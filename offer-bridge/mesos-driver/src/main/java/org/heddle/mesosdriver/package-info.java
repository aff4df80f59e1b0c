// SPDX-License-Identifier: Apache-2.0
/**
 * What the classes of Mesos' old API in this module do behind their signatures. Messages are bytes in here: the type of
 * a field of bytes is another class in each build of the Mesos jar, so no class of this module may name it, or any
 * class of protobuf.
 */
package org.heddle.mesosdriver;
