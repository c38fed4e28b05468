// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

/**
 * A struct member found in BTF.
 *
 * @param type id of its type
 * @param offsetBits from the beginning of the outermost struct
 * @param bitfieldBits its size if it is a bitfield, else 0
 */
record BtfMember(int type, int offsetBits, int bitfieldBits) {}
