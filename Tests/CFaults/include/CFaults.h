#pragma once
#include <stdbool.h>

/// The calls that can be made to fail.
enum faults_call { faults_write, faults_sync };

/// Makes the calls on files of this program fail, those of its shared libraries as well, until `faults_end`.
///
/// The one with a number fails, counted from 1, and all later ones. Returns false where calls cannot be made to
/// fail: only Linux lets a program's function take the place of a library's by its name.
bool faults_begin(enum faults_call call, long first, int error);

/// Lets calls succeed again and returns how many failed.
long faults_end(void);

/// The system's call, which Swift hides on some platforms.
int faults_fork(void);
